// Package table changes rows of audited tables: tenant, creator and times are set,
// the version is compared, and the audit row is written, all in the transaction of
// the caller. Reading with joins and filters is done with store.
package table

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"viva/internal/kernel/actor"
	"viva/internal/kernel/audit"
	"viva/internal/kernel/clock"
	"viva/internal/kernel/errs"
	"viva/internal/kernel/store"
)

// Stamp holds the columns that every audited table has and no caller may set.
type Stamp struct {
	Creator    string `json:"creator"`
	CreateTime int64  `json:"createTime" label:"创建时间|Created" in:"-,kind=time" q:"range"`
	Updater    string `json:"updater"`
	UpdateTime int64  `json:"updateTime" label:"更新时间|Updated" in:"-,kind=time"`
	Deleted    bool   `json:"-"`
	Version    int    `json:"version"`
}

// Meta is the stamp of a tenant's row.
type Meta struct {
	TenantID int64 `json:"-"`
	Stamp
}

// Table is one audited table whose rows are of type T. T has a field ID int64 and
// embeds Meta (a tenant's rows) or Stamp (rows shared by all tenants).
type Table[T any] struct {
	Name    string
	Title   string
	scoped  bool
	columns []column
	stampAt []int
	tenant  []int
	idAt    []int
	insert  string
	update  string
	get     string
}

type column struct {
	name   string
	json   string
	index  []int
	secret bool
	stamp  bool
}

// New declares a table; title is its Chinese name in the operation log. It panics on
// a struct that does not fit, which stops the start-up.
func New[T any](name, title string) *Table[T] {
	t := &Table[T]{Name: name, Title: title}
	typ := reflect.TypeFor[T]()
	for _, f := range reflect.VisibleFields(typ) {
		if f.Anonymous {
			switch f.Type {
			case reflect.TypeFor[Meta]():
				t.scoped = true
			case reflect.TypeFor[Stamp]():
				t.stampAt = f.Index
			}
			continue
		}
		t.add(f)
	}
	if t.idAt == nil || t.stampAt == nil {
		panic("table: " + name + " needs a field ID and table.Meta or table.Stamp")
	}
	t.compose()
	store.Audited(name)
	return t
}

var stampColumns = map[string]bool{"creator": true, "create_time": true, "updater": true, "update_time": true, "deleted": true, "version": true, "tenant_id": true}

func (t *Table[T]) add(f reflect.StructField) {
	name := f.Tag.Get("db")
	if name == "-" || f.Tag.Get("view") != "" { // view columns come from joins

		return
	}
	if name == "" {
		name = store.Snake(f.Name)
	}
	if name == "id" {
		t.idAt = f.Index
		return
	}
	if name == "tenant_id" {
		t.tenant = f.Index
		return
	}
	j, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	if j == "" || j == "-" {
		j = name
	}
	t.columns = append(t.columns, column{name: name, json: j, index: f.Index, secret: f.Tag.Get("audit") == "-", stamp: stampColumns[name]})
}

func (t *Table[T]) compose() {
	var names, values, sets []string
	for _, c := range t.columns {
		names = append(names, c.name)
		values = append(values, ":"+c.name)
		if c.name != "creator" && c.name != "create_time" && c.name != "version" {
			sets = append(sets, c.name+" = :"+c.name)
		}
	}
	where := "id = :id AND deleted = false"
	all := append([]string{"id"}, names...)
	if t.scoped {
		where = "tenant_id = :tenant AND " + where
		names, values = append(names, "tenant_id"), append(values, ":tenant")
		all = append(all, "tenant_id")
	}
	t.insert = fmt.Sprintf("INSERT INTO %s (%s) VALUES (%s) RETURNING id", t.Name, strings.Join(names, ", "), strings.Join(values, ", "))
	t.update = fmt.Sprintf("UPDATE %s SET %s, version = version + 1 WHERE %s AND version = :version", t.Name, strings.Join(sets, ", "), where)
	t.get = fmt.Sprintf("SELECT %s FROM %s WHERE %s", strings.Join(all, ", "), t.Name, where)
}

// Scoped reports whether rows belong to tenants.
func (t *Table[T]) Scoped() bool { return t.scoped }

// Stamp gives the stamp of a row, however the row's struct embeds it.
func (t *Table[T]) Stamp(row *T) *Stamp {
	return reflect.ValueOf(row).Elem().FieldByIndex(t.stampAt).Addr().Interface().(*Stamp)
}

// Columns lists the column names in order, without id and tenant_id.
func (t *Table[T]) Columns() []string {
	var names []string
	for _, c := range t.columns {
		names = append(names, c.name)
	}
	return names
}

// Get reads a row of the tenant; errs.ErrNoRecord when there is none.
func (t *Table[T]) Get(ctx context.Context, id int64) (T, error) {
	return store.One[T](ctx, store.Generated(t.get), store.Args{"id": id})
}

// Lock reads a row and keeps others from changing it until the transaction ends.
func (t *Table[T]) Lock(ctx context.Context, id int64) (T, error) {
	return store.One[T](ctx, store.Generated(t.get+" FOR UPDATE"), store.Args{"id": id})
}

// Insert writes a new row, fills id, stamp and version into it, and audits it.
func (t *Table[T]) Insert(ctx context.Context, row *T) error {
	v := reflect.ValueOf(row).Elem()
	stamp := v.FieldByIndex(t.stampAt).Addr().Interface().(*Stamp)
	now, who := clock.Millis(), actor.From(ctx).Name()
	*stamp = Stamp{Creator: who, CreateTime: now, Updater: who, UpdateTime: now, Version: 1}
	args := t.args(v)
	if t.scoped {
		tenant := actor.From(ctx).TenantID
		if tenant == 0 {
			return store.ErrNoTenant
		}
		args["tenant"] = tenant
		v.FieldByIndex(t.tenant).SetInt(tenant)
	}
	id, _, err := store.Get[int64](store.ByTable(ctx), store.Generated(t.insert), args)
	if err != nil {
		return err
	}
	v.FieldByIndex(t.idAt).SetInt(id)
	return t.audit(ctx, id, audit.Created, nil, t.values(v))
}

// Update writes all columns of a row that was read before; the row's version must
// still be current, else errs.ErrStale. Nothing is written when nothing differs.
func (t *Table[T]) Update(ctx context.Context, row *T) error {
	v := reflect.ValueOf(row).Elem()
	id := v.FieldByIndex(t.idAt).Int()
	old, err := t.Lock(ctx, id)
	if err != nil {
		return err
	}
	return t.save(ctx, old, row)
}

// Change locks a row, lets fn alter it and saves it: the way to move a state or a
// counter, since nobody else can hold the row meanwhile. The saved row is returned.
func (t *Table[T]) Change(ctx context.Context, id int64, fn func(*T) error) (T, error) {
	old, err := t.Lock(ctx, id)
	if err != nil {
		return old, err
	}
	row := old
	if err := fn(&row); err != nil {
		return old, err
	}
	return row, t.save(ctx, old, &row)
}

func (t *Table[T]) save(ctx context.Context, old T, row *T) error {
	v, o := reflect.ValueOf(row).Elem(), reflect.ValueOf(&old).Elem()
	stamp := v.FieldByIndex(t.stampAt).Addr().Interface().(*Stamp)
	was := o.FieldByIndex(t.stampAt).Addr().Interface().(*Stamp)
	if stamp.Version != was.Version {
		return errs.ErrStale.With()
	}
	before, after := t.diff(o, v)
	if len(after) == 0 {
		return nil
	}
	stamp.Creator, stamp.CreateTime = was.Creator, was.CreateTime
	stamp.Updater, stamp.UpdateTime = actor.From(ctx).Name(), clock.Millis()
	args := t.args(v)
	id := v.FieldByIndex(t.idAt).Int()
	args["id"] = id
	n, err := store.Exec(store.ByTable(ctx), store.Generated(t.update), args)
	if err != nil {
		return err
	}
	if n == 0 {
		return errs.ErrStale.With()
	}
	stamp.Version++
	op := audit.Updated
	if stamp.Deleted {
		op = audit.Deleted
		before, after = t.values(o), nil
	}
	return t.audit(ctx, id, op, before, after)
}

// Delete marks a row as deleted and audits its last content.
func (t *Table[T]) Delete(ctx context.Context, id int64) error {
	_, err := t.Change(ctx, id, func(row *T) error {
		stamp := reflect.ValueOf(row).Elem().FieldByIndex(t.stampAt).Addr().Interface().(*Stamp)
		stamp.Deleted = true
		return nil
	})
	return err
}

func (t *Table[T]) args(v reflect.Value) store.Args {
	args := make(store.Args, len(t.columns)+2)
	for _, c := range t.columns {
		args[c.name] = v.FieldByIndex(c.index).Interface()
	}
	return args
}

// quiet columns change with every save and say nothing by themselves.
var quiet = map[string]bool{"update_time": true, "updater": true, "version": true, "creator": true, "create_time": true, "deleted": true}

func (t *Table[T]) values(v reflect.Value) map[string]any {
	m := make(map[string]any, len(t.columns))
	for _, c := range t.columns {
		if !quiet[c.name] {
			m[c.json] = c.show(v)
		}
	}
	return m
}

func (c column) show(v reflect.Value) any {
	field := v.FieldByIndex(c.index)
	if c.secret && !field.IsZero() {
		return "***"
	}
	return field.Interface()
}

func (t *Table[T]) diff(old, row reflect.Value) (before, after map[string]any) {
	before, after = map[string]any{}, map[string]any{}
	for _, c := range t.columns {
		a, b := old.FieldByIndex(c.index).Interface(), row.FieldByIndex(c.index).Interface()
		if (quiet[c.name] && c.name != "deleted") || reflect.DeepEqual(a, b) {
			continue
		}
		before[c.json], after[c.json] = c.show(old), c.show(row)
	}
	return before, after
}

func (t *Table[T]) audit(ctx context.Context, id int64, op audit.Op, before, after map[string]any) error {
	return audit.Record(ctx, audit.Entry{Table: t.Name, Title: t.Title, RowID: id, Op: op, Before: before, After: after})
}

// IsDuplicate reports whether err is a violated unique index.
func IsDuplicate(err error) bool { return errors.Is(err, store.ErrUnique) }
