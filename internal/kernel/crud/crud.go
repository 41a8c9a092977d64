package crud

import (
	"context"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"viva/internal/kernel/errs"
	"viva/internal/kernel/field"
	"viva/internal/kernel/store"
	"viva/internal/kernel/table"
	"viva/internal/kernel/web"
)

// Meta is embedded by entities whose rows belong to a tenant.
type Meta = table.Meta

// Shared is embedded by entities whose rows are shared by all tenants.
type Shared = table.Stamp

// Resource is a mounted entity. Set the hooks before the server starts.
type Resource[T any] struct {
	Table *table.Table[T]
	// BeforeSave checks and completes a row; old is nil for a new one.
	BeforeSave func(ctx context.Context, old, row *T) error
	// AfterSave runs in the same transaction with the stored row.
	AfterSave func(ctx context.Context, old, row *T) error
	// BeforeDelete may refuse.
	BeforeDelete func(ctx context.Context, row T) error
	// Scope adds conditions that limit every read and change to what the caller may touch;
	// columns are qualified with t.
	Scope func(ctx context.Context, q *store.Query)
	// View adds columns from joins; the struct has fields for them with view:"join".
	View View

	m      *web.Module
	spec   spec
	fields []*field.Field
	sql    texts
}

// View is SQL that widens the rows of page, get and export.
type View struct{ Columns, Joins string }

// spec is what the options say.
type spec struct {
	name, title, titleEn string
	table                string
	permission           string
	order                string
	simple               []string
	without              map[string]bool
	importing            bool
	aliases              map[string][]string
}

// Feature adjusts the derived calls.
type Feature func(*spec)

// Simple adds list-all-simple and simple-list with the given fields of enabled rows
// (status = 0 where the entity has a status), by the default order.
func Simple(fields ...string) Feature {
	return func(s *spec) { s.simple = append([]string{"id"}, fields...) }
}

// Import adds import and get-import-template.
func Import(s *spec) { s.importing = true }

// Without leaves out derived calls ("create", "page", …), usually to write them by hand.
func Without(calls ...string) Feature {
	return func(s *spec) {
		for _, c := range calls {
			s.without[c] = true
		}
	}
}

// Table sets the table name where it is not module_entity.
func Table(name string) Feature { return func(s *spec) { s.table = name } }

// Permission sets the stem where it is not module:entity.
func Permission(stem string) Feature { return func(s *spec) { s.permission = stem } }

// Order sets the default order, columns qualified with t.
func Order(sql string) Feature { return func(s *spec) { s.order = sql } }

// Alias serves a derived call under further names (older clients).
func Alias(call string, names ...string) Feature {
	return func(s *spec) { s.aliases[call] = append(s.aliases[call], names...) }
}

// Mount declares the entity's calls. name is its wire name in the module, title its
// Chinese and English name separated by |.
func Mount[T any](m *web.Module, name, title string, features ...Feature) *Resource[T] {
	s := spec{name: name, without: map[string]bool{}, aliases: map[string][]string{}}
	s.title, s.titleEn, _ = strings.Cut(title, "|")
	s.table = strings.ReplaceAll(m.Name+"_"+name, "-", "_")
	s.permission = m.Name + ":" + name
	s.order = "t.id DESC"
	s.aliases["export-excel"] = []string{"export"}
	for _, f := range features {
		f(&s)
	}
	r := &Resource[T]{Table: table.New[T](s.table, s.title), m: m, spec: s, fields: field.Parse(reflect.TypeFor[T]())}
	r.check()
	r.declare()
	m.App.Entities[m.Name+"/"+name] = r.describe()
	return r
}

// check panics on fields whose column the table does not have.
func (r *Resource[T]) check() {
	columns := r.Table.Columns()
	for _, f := range r.fields {
		if !f.View && f.Column != "id" && f.Column != "-" && !slices.Contains(columns, f.Column) {
			panic("crud: " + r.spec.table + " has no column for " + f.Name)
		}
	}
}

func (r *Resource[T]) declare() {
	s := r.spec
	id := []*huma.Param{{Name: "id", In: "query", Required: true, Schema: &huma.Schema{Type: "integer", Format: "int64"}}}
	ids := []*huma.Param{{Name: "ids", In: "query", Required: true, Schema: &huma.Schema{Type: "array", Items: &huma.Schema{Type: "integer", Format: "int64"}}}}
	out := r.schema(false)
	r.raw("page", "query", web.RawCall{Method: http.MethodGet, Summary: s.title + "分页", Params: r.params(true), Out: pageOf(out), Fn: r.page})
	r.raw("get", "query", web.RawCall{Method: http.MethodGet, Summary: s.title + "详情", Params: id, Out: out, Fn: r.get})
	r.raw("create", "create", web.RawCall{Method: http.MethodPost, Summary: "新增" + s.title, In: r.schema(true), Out: &huma.Schema{Type: "integer"}, Fn: r.create})
	r.raw("update", "update", web.RawCall{Method: http.MethodPut, Summary: "修改" + s.title, In: r.schema(true), Out: &huma.Schema{Type: "boolean"}, Fn: r.update})
	r.raw("delete", "delete", web.RawCall{Method: http.MethodDelete, Summary: "删除" + s.title, Params: id, Out: &huma.Schema{Type: "boolean"}, Fn: r.delete})
	r.raw("delete-list", "delete", web.RawCall{Method: http.MethodDelete, Summary: "批量删除" + s.title, Params: ids, Out: &huma.Schema{Type: "boolean"}, Fn: r.deleteList})
	r.raw("export-excel", "export", web.RawCall{Method: http.MethodGet, Summary: "导出" + s.title, Params: r.params(false), Fn: r.export})
	if s.simple != nil {
		for _, name := range []string{"list-all-simple", "simple-list"} {
			r.rawAs(name, web.SignedIn, web.RawCall{Method: http.MethodGet, Summary: s.title + "精简列表", Out: &huma.Schema{Type: "array", Items: r.schemaOf(s.simple)}, Fn: r.simple})
		}
	}
	if s.importing {
		r.raw("import", "import", web.RawCall{Method: http.MethodPost, Summary: "导入" + s.title, StreamBody: true, MaxBytes: 11 << 20, Fn: r.importRows})
		r.raw("get-import-template", "import", web.RawCall{Method: http.MethodGet, Summary: s.title + "导入模板", Fn: r.template})
	}
}

func (r *Resource[T]) raw(call, verb string, rc web.RawCall) {
	r.rawAs(call, web.Perm(r.spec.permission+":"+verb), rc)
}

func (r *Resource[T]) rawAs(call string, access web.Access, rc web.RawCall) {
	if r.spec.without[call] {
		return
	}
	rc.Access = access
	for _, name := range append([]string{call}, r.spec.aliases[call]...) {
		rc.Path = "/" + r.spec.name + "/" + name
		web.Raw(r.m, rc)
	}
}

// Fields are the parsed fields, for hand-written calls beside the derived ones.
func (r *Resource[T]) Fields() []*field.Field { return r.fields }

// Read gets one row through View and Scope, errs.ErrNoRecord when it is not the caller's.
func (r *Resource[T]) Read(ctx context.Context, id int64) (T, error) {
	if id <= 0 {
		var zero T
		return zero, errs.ErrNoRecord.With()
	}
	q := r.from(ctx).Add(store.Generated(" AND t.id = :id"))
	q.Args()["id"] = id
	return store.One[T](ctx, store.Generated("SELECT "+r.columns()+" "+string(q.SQL())), q.Args())
}
