package workflow

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"viva/internal/kernel/crud"
	"viva/internal/kernel/errs"
	"viva/internal/kernel/field"
	"viva/internal/kernel/i18n"
	"viva/internal/kernel/store"
	"viva/internal/kernel/table"
	"viva/internal/kernel/web"
)

// UserGroup is a named set of users that a task may be assigned to. UserIDs is the
// newer name of MemberUserIDs on the wire and has no column of its own.
type UserGroup struct {
	ID            int64               `json:"id" q:"eq"`
	Name          string              `json:"name" label:"组名|Group name" in:"required,max=64" q:"like"`
	Description   string              `json:"description" label:"描述|Description" in:"kind=longtext,max=255"`
	MemberUserIDs store.JSON[[]int64] `json:"memberUserIds" db:"member_user_ids" label:"成员|Members" in:"kind=refs,max=500,ref=system_users:/system/user/list-all-simple"`
	UserIDs       store.JSON[[]int64] `json:"userIds" db:"user_ids" label:"成员|Members" in:"kind=refs,max=500" view:"member_user_ids"`
	Status        int                 `json:"status" label:"状态|Status" in:"required,dict=common_status,min=0,max=1" q:"eq"`
	crud.Meta
}

var userGroups = table.New[UserGroup]("bpm_user_group", "用户分组")

const sqlUsersKnown = `SELECT id FROM system_users WHERE tenant_id = :tenant AND deleted = false AND id IN (:ids)`

func mountUserGroups(m *web.Module) {
	r := crud.Mount[UserGroup](m, "user-group", "用户分组|User group", crud.Simple("name"), crud.Without("export-excel"))
	r.View = crud.View{Columns: ", t.member_user_ids AS user_ids"}
	r.BeforeSave = checkUserGroup
	describe(m, "user-group", func(d *crud.Description) {
		require(d, "memberUserIds")
		d.Fields = slices.DeleteFunc(d.Fields, func(f *field.Field) bool { return f.Name == "userIds" })
	})
}

func checkUserGroup(ctx context.Context, old, row *UserGroup) error {
	var before []int64
	if old != nil {
		before = old.MemberUserIDs.V
	}
	members, ok := given(before, row.MemberUserIDs.V, row.UserIDs.V)
	if !ok {
		return errs.Field("memberUserIds", "memberUserIds 与 userIds 不一致，请只填写其中一个", "memberUserIds and userIds differ; give one of them")
	}
	if len(members) == 0 {
		return errs.Field("memberUserIds", "请选择至少一名成员", "choose at least one member")
	}
	row.MemberUserIDs.V, row.UserIDs.V = members, nil
	return checkMembers(ctx, before, members)
}

// given chooses between the two names of one list. A client that sends back the row it
// read carries the untouched list under the name it does not know, so what differs from
// the stored list is what was meant; false when both do and disagree.
func given(before, older, newer []int64) ([]int64, bool) {
	switch {
	case newer == nil || slices.Equal(newer, before) || slices.Equal(newer, older):
		return older, true
	case older == nil || slices.Equal(older, before):
		return newer, true
	}
	return nil, false
}

// checkMembers refuses users that the tenant does not have. Members from before may have
// left meanwhile; they count for nothing when candidates are looked up.
func checkMembers(ctx context.Context, before, members []int64) error {
	added := slices.DeleteFunc(slices.Clone(members), func(id int64) bool { return slices.Contains(before, id) })
	if len(added) == 0 {
		return nil
	}
	known, err := store.Select[int64](ctx, sqlUsersKnown, store.Args{"ids": added})
	if err != nil {
		return err
	}
	unknown := slices.DeleteFunc(added, func(id int64) bool { return slices.Contains(known, id) })
	if len(unknown) == 0 {
		return nil
	}
	list := strings.Trim(fmt.Sprint(unknown), "[]")
	return errs.Field("memberUserIds", i18n.Pick(ctx, "成员不存在："+list, "no such users: "+list))
}
