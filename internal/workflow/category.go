package workflow

import (
	"cmp"
	"context"
	"slices"
	"strconv"

	"github.com/danielgtaylor/huma/v2"

	"viva/internal/kernel/crud"
	"viva/internal/kernel/errs"
	"viva/internal/kernel/i18n"
	"viva/internal/kernel/store"
	"viva/internal/kernel/table"
	"viva/internal/kernel/web"
)

// Category groups process models on the pages where processes are started.
type Category struct {
	ID          int64  `json:"id"`
	Name        string `json:"name" label:"分类名称|Category name" in:"required,max=64" q:"like"`
	Code        string `json:"code" label:"分类标识|Code" in:"required,max=64" q:"eq"`
	Description string `json:"description" label:"分类描述|Description" in:"kind=longtext,max=255"`
	Status      int    `json:"status" label:"状态|Status" in:"required,dict=common_status,min=0,max=1" q:"eq"`
	Sort        int    `json:"sort" label:"排序|Order" in:"required,min=0,max=99999"`
	crud.Meta
}

var categories = table.New[Category]("bpm_category", "流程分类")

const (
	sqlCategoryByName = `SELECT id FROM bpm_category WHERE tenant_id = :tenant AND deleted = false AND name = :name`
	sqlCategoryByCode = `SELECT id FROM bpm_category WHERE tenant_id = :tenant AND deleted = false AND code = :code`
	// Locked by id, so that two who sort at once wait for each other instead of blocking both.
	sqlCategoriesLocked = `SELECT * FROM bpm_category WHERE tenant_id = :tenant AND deleted = false ORDER BY id FOR UPDATE`
)

func (s *Service) mountCategories(m *web.Module) {
	r := crud.Mount[Category](m, "category", "流程分类|Process category", crud.Order("t.sort, t.id"),
		crud.Simple("name", "code"), crud.Without("export-excel"))
	r.BeforeSave = s.checkCategory
	r.BeforeDelete = func(ctx context.Context, row Category) error { return s.refuseUsed(ctx, row.Code) }
	ids := []*huma.Param{{Name: "ids", In: "query", Required: true, Description: "编号，按新的顺序|Ids in the new order",
		Schema: &huma.Schema{Type: "array", Items: &huma.Schema{Type: "integer", Format: "int64"}}}}
	web.Raw(m, web.RawCall{Method: "PUT", Path: "/category/update-sort-batch", Access: web.Perm("bpm:category:update"), Summary: "流程分类排序",
		Params: ids, Out: &huma.Schema{Type: "boolean"}, Fn: sortCategories})
}

func (s *Service) checkCategory(ctx context.Context, old, row *Category) error {
	id, found, err := store.Get[int64](ctx, sqlCategoryByName, store.Args{"name": row.Name})
	if err != nil || found && id != row.ID {
		return orElse(err, fielded(ctx, errCategoryName.With(row.Name), "name"))
	}
	id, found, err = store.Get[int64](ctx, sqlCategoryByCode, store.Args{"code": row.Code})
	if err != nil || found && id != row.ID {
		return orElse(err, fielded(ctx, errCategoryCode.With(row.Code), "code"))
	}
	if old != nil && old.Code != row.Code {
		return s.refuseUsed(ctx, old.Code)
	}
	return nil
}

func (s *Service) refuseUsed(ctx context.Context, code string) error {
	for _, used := range s.categoryInUse {
		if yes, err := used(ctx, code); err != nil || yes {
			return orElse(err, errCategoryUsed.With())
		}
	}
	return nil
}

const maxSorted = 500

// sortCategories gives the named categories each other's places, in the order of the
// ids; those not named, on other pages of a list, keep theirs.
func sortCategories(ctx context.Context, req web.RawRequest) (any, error) {
	ids, err := readIDs(ctx, req.Query["ids"])
	if err != nil {
		return nil, err
	}
	list, err := store.Select[Category](ctx, sqlCategoriesLocked, nil)
	if err != nil {
		return nil, err
	}
	order, ok := reordered(list, ids)
	if !ok {
		return nil, errs.ErrNoRecord.With()
	}
	for _, row := range list {
		place := slices.Index(order, row.ID) + 1
		if row.Sort == place {
			continue
		}
		if _, err := categories.Change(ctx, row.ID, func(c *Category) error { c.Sort = place; return nil }); err != nil {
			return nil, err
		}
	}
	return true, nil
}

func readIDs(ctx context.Context, texts []string) ([]int64, error) {
	if len(texts) == 0 || len(texts) > maxSorted {
		return nil, errs.Field("ids", "请给出 1 到 "+strconv.Itoa(maxSorted)+" 个编号", "give 1 to "+strconv.Itoa(maxSorted)+" ids")
	}
	ids := make([]int64, 0, len(texts))
	for _, text := range texts {
		id, err := strconv.ParseInt(text, 10, 64)
		if err != nil || id <= 0 || slices.Contains(ids, id) {
			return nil, errs.Field("ids", i18n.Pick(ctx, "编号不正确或重复："+text, "not an id, or given twice: "+text))
		}
		ids = append(ids, id)
	}
	return ids, nil
}

// reordered lists the ids of all categories in their order, with those named in ids
// redistributed over the places they hold; false when ids names one that is not there.
func reordered(list []Category, ids []int64) ([]int64, bool) {
	sorted := slices.SortedFunc(slices.Values(list), func(a, b Category) int {
		return cmp.Or(cmp.Compare(a.Sort, b.Sort), cmp.Compare(a.ID, b.ID))
	})
	order, next := make([]int64, 0, len(sorted)), 0
	for _, row := range sorted {
		id := row.ID
		if slices.Contains(ids, id) {
			id = ids[next]
			next++
		}
		order = append(order, id)
	}
	return order, next == len(ids)
}
