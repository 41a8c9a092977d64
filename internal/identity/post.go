package identity

import (
	"context"
	"strconv"

	"viva/internal/kernel/crud"
	"viva/internal/kernel/store"
	"viva/internal/kernel/table"
)

// Post is a position that users hold, such as dean or secretary.
type Post struct {
	ID     int64  `json:"id"`
	Name   string `json:"name" label:"岗位名称|Post name" in:"required,max=50" q:"like"`
	Code   string `json:"code" label:"岗位编码|Post code" in:"required,max=64" q:"like"`
	Sort   int    `json:"sort" label:"岗位排序|Order" in:"min=0,max=99999"`
	Status int    `json:"status" label:"状态|Status" in:"dict=common_status,min=0,max=1" q:"eq"`
	Remark string `json:"remark" label:"备注|Remark" in:"max=500"`
	table.Meta
}

var posts = table.New[Post]("system_post", "岗位")

const (
	sqlPostByName = `SELECT id FROM system_post WHERE tenant_id = :tenant AND deleted = false AND name = :name`
	sqlPostByCode = `SELECT id FROM system_post WHERE tenant_id = :tenant AND deleted = false AND code = :code`
	// The ids stand in the user's row as JSON: [1,12].
	sqlPostUsers = `SELECT COUNT(*) FROM system_users WHERE tenant_id = :tenant AND deleted = false
 AND replace(replace(post_ids, '[', ','), ']', ',') LIKE :post`
)

func (s *Service) mountPosts() {
	r := crud.Mount[Post](s.m, "post", "岗位|Post", crud.Simple("name", "code", "sort"), crud.Order("t.sort, t.id"))
	r.BeforeSave = func(ctx context.Context, _, row *Post) error {
		id, ok, err := store.Get[int64](ctx, sqlPostByName, store.Args{"name": row.Name})
		if err != nil || ok && id != row.ID {
			return orElse(err, fielded(ctx, errPostName.With(), "name"))
		}
		id, ok, err = store.Get[int64](ctx, sqlPostByCode, store.Args{"code": row.Code})
		if err != nil || ok && id != row.ID {
			return orElse(err, fielded(ctx, errPostCode.With(), "code"))
		}
		return nil
	}
	r.BeforeDelete = func(ctx context.Context, row Post) error {
		n, _, err := store.Get[int64](ctx, sqlPostUsers, store.Args{"post": "%," + strconv.FormatInt(row.ID, 10) + ",%"})
		if err != nil || n > 0 {
			return orElse(err, errPostUsed.With(n))
		}
		return nil
	}
}
