package crud

import (
	"context"
	"io"
	"net/url"
	"reflect"
	"strconv"
	"strings"

	"viva/internal/kernel/clock"
	"viva/internal/kernel/errs"
	"viva/internal/kernel/field"
	"viva/internal/kernel/store"
	"viva/internal/kernel/web"
	"viva/internal/kernel/xlsx"
)

// texts holds SQL composed once per entity.
type texts struct{ columns, from string }

func (r *Resource[T]) columns() string {
	r.compose()
	return r.sql.columns
}

func (r *Resource[T]) compose() {
	if r.sql.columns != "" {
		return
	}
	names := []string{"t.id"}
	for _, c := range r.Table.Columns() {
		names = append(names, "t."+c)
	}
	from := "FROM " + r.spec.table + " t" + r.View.Joins + " WHERE t.deleted = false"
	if r.Table.Scoped() {
		names = append(names, "t.tenant_id")
		from = "FROM " + r.spec.table + " t" + r.View.Joins + " WHERE t.tenant_id = :tenant AND t.deleted = false"
	}
	r.sql = texts{columns: strings.Join(names, ", ") + r.View.Columns, from: from}
}

func (r *Resource[T]) from(ctx context.Context) *store.Query {
	r.compose()
	q := store.Build(store.Generated(r.sql.from), nil)
	if r.Scope != nil {
		r.Scope(ctx, q)
	}
	return q
}

// filtered applies the declared filters of the query. A name that is a field but not a
// filter is refused, so that hidden columns cannot be probed; names that mean nothing
// here are ignored, as the family's clients send some.
func (r *Resource[T]) filtered(ctx context.Context, query url.Values) (*store.Query, error) {
	q := r.from(ctx)
	for _, f := range r.fields {
		values := query[f.Name]
		if len(values) == 0 {
			continue
		}
		if f.Filter == "" {
			return nil, errs.Field(f.Name, f.Text(web.Lang(ctx))+" 不能用于筛选", f.Text("en")+" cannot be filtered by")
		}
		if err := r.filter(ctx, q, f, values); err != nil {
			return nil, err
		}
	}
	return q, nil
}

func (r *Resource[T]) filter(ctx context.Context, q *store.Query, f *field.Field, values []string) error {
	column := f.Column
	if !f.View {
		column = "t." + f.Column
	}
	if f.Filter == "range" {
		return r.rangeFilter(ctx, q, f, values)
	}
	if f.Filter == "like" {
		if len([]rune(values[0])) > 200 {
			return errs.Field(f.Name, f.Text(web.Lang(ctx))+" 筛选内容过长", f.Text("en")+": the filter is too long")
		}
		q.Add(store.Generated(" AND " + column + " LIKE :" + f.Column + ` ESCAPE '\'`))
		q.Args()[f.Column] = store.Contains(values[0])
		return nil
	}
	value, refusal := f.ParseFilter(values[0])
	if refusal != nil {
		return errs.Field(f.Name, f.Text(web.Lang(ctx))+" "+refusal.In(web.Lang(ctx)))
	}
	q.Add(store.Generated(" AND " + column + " = :" + f.Column))
	q.Args()[f.Column] = value
	return nil
}

func (r *Resource[T]) rangeFilter(ctx context.Context, q *store.Query, f *field.Field, values []string) error {
	for i, text := range values[:min(len(values), 2)] {
		value, refusal := f.ParseFilter(text)
		if refusal != nil {
			return errs.Field(f.Name, f.Text(web.Lang(ctx))+" "+refusal.In(web.Lang(ctx)))
		}
		name, op := f.Column+"_from", " >= :"
		if i == 1 {
			name, op = f.Column+"_to", " <= :"
			if ms, ok := value.(int64); ok && ms%1000 == 0 {
				value = ms + 999 // the end second is inclusive
			}
		}
		q.Add(store.Generated(" AND t." + f.Column + op + name))
		q.Args()[name] = value
	}
	return nil
}

// order reads sortingFields; only sortable fields are accepted.
func (r *Resource[T]) order(ctx context.Context, query url.Values) (string, error) {
	name := first(query, "sortingFields[0][field]", "sortingFields[field]", "sortingFields[0].field")
	if name == "" {
		return r.spec.order, nil
	}
	direction := strings.ToUpper(first(query, "sortingFields[0][order]", "sortingFields[order]", "sortingFields[0].order"))
	if direction != "ASC" && direction != "DESC" {
		direction = "ASC"
	}
	for _, f := range r.fields {
		if f.Name == name && f.Sortable {
			return "t." + f.Column + " " + direction + ", t.id DESC", nil
		}
	}
	return "", errs.Field("sortingFields", map[string]string{"zh": "不能按“" + name + "”排序", "en": "cannot sort by " + name}[web.Lang(ctx)])
}

func first(query url.Values, names ...string) string {
	for _, n := range names {
		if v := query.Get(n); v != "" {
			return v
		}
	}
	return ""
}

// ReadPaging reads pageNo and pageSize with the limits of the product (1-500).
func ReadPaging(query url.Values) (store.Paging, error) {
	p := store.Paging{PageNo: 1, PageSize: 20}
	for name, target := range map[string]*int{"pageNo": &p.PageNo, "pageSize": &p.PageSize} {
		text := query.Get(name)
		if text == "" {
			continue
		}
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || name == "pageNo" && n > 1_000_000 {
			return p, errs.Field(name, name+" 应为正整数", name+" must be a positive whole number")
		}
		*target = n
	}
	if p.PageSize > 500 {
		return p, errs.Field("pageSize", "每页最多 500 条", "at most 500 rows a page")
	}
	return p, nil
}

func (r *Resource[T]) page(ctx context.Context, req web.RawRequest) (any, error) {
	p, err := ReadPaging(req.Query)
	if err != nil {
		return nil, err
	}
	q, err := r.filtered(ctx, req.Query)
	if err != nil {
		return nil, err
	}
	order, err := r.order(ctx, req.Query)
	if err != nil {
		return nil, err
	}
	return store.SelectPage[T](ctx, store.Generated(r.columns()), q, store.Generated(order), p)
}

func (r *Resource[T]) get(ctx context.Context, req web.RawRequest) (any, error) {
	id, err := ReadID(req.Query)
	if err != nil {
		return nil, err
	}
	return r.Read(ctx, id)
}

// ReadID reads the id parameter.
func ReadID(query url.Values) (int64, error) {
	id, err := strconv.ParseInt(query.Get("id"), 10, 64)
	if err != nil || id <= 0 {
		return 0, errs.Field("id", "编号不正确", "is not an id")
	}
	return id, nil
}

// maxSimple bounds the lists of selectors.
const maxSimple = 5000

func (r *Resource[T]) simple(ctx context.Context, _ web.RawRequest) (any, error) {
	q := r.from(ctx)
	chosen := []*field.Field{}
	for _, f := range r.fields {
		if f.Name == "status" {
			q.Add(" AND t.status = 0")
		}
		for _, name := range r.spec.simple {
			if f.Name == name {
				chosen = append(chosen, f)
			}
		}
	}
	q.Args()["max_rows"] = maxSimple
	text := "SELECT " + r.columns() + " " + string(q.SQL()) + " ORDER BY " + r.spec.order + " LIMIT :max_rows"
	list := []map[string]any{}
	err := store.Each(ctx, store.Generated(text), q.Args(), func(row T) error {
		v, item := reflect.ValueOf(row), make(map[string]any, len(chosen))
		for _, f := range chosen {
			item[f.Name] = v.FieldByIndex(f.Index).Interface()
		}
		list = append(list, item)
		return nil
	})
	return list, err
}

// maxExport bounds a synchronous export.
const maxExport = 50_000

var errExport = errs.Define(1001000900, errs.Limit, "超过 {} 行，请先缩小筛选范围再导出", "More than {} rows; narrow the filter before exporting")

func (r *Resource[T]) export(ctx context.Context, req web.RawRequest) (any, error) {
	q, err := r.filtered(ctx, req.Query)
	if err != nil {
		return nil, err
	}
	order, err := r.order(ctx, req.Query)
	if err != nil {
		return nil, err
	}
	q.Args()["max_rows"] = maxExport + 1
	text := store.Generated("SELECT " + r.columns() + " " + string(q.SQL()) + " ORDER BY " + order + " LIMIT :max_rows")
	columns, labels, err := r.exportColumns(ctx)
	if err != nil {
		return nil, err
	}
	headers := make([]string, len(columns))
	for i, f := range columns {
		headers[i] = f.Text(web.Lang(ctx))
	}
	name := r.spec.title + "-" + clock.Now().In(clock.Shanghai).Format("20060102-1504") + ".xlsx"
	return &web.Download{Name: name, Type: web.SheetType, Write: func(w io.Writer) error {
		return r.writeRows(ctx, w, headers, func(add func(row T) error) error {
			n := 0
			return store.Each(ctx, text, q.Args(), func(row T) error {
				if n++; n > maxExport {
					return errExport.With(maxExport)
				}
				return add(row)
			})
		}, columns, labels)
	}}, nil
}

func (r *Resource[T]) exportColumns(ctx context.Context) ([]*field.Field, []map[string]string, error) {
	var columns []*field.Field
	var labels []map[string]string
	for _, f := range r.fields {
		if !f.Output || f.Label == "" && f.Name != "id" {
			continue
		}
		l, err := r.dictionary(ctx, f)
		if err != nil {
			return nil, nil, err
		}
		columns, labels = append(columns, f), append(labels, l)
	}
	return columns, labels, nil
}

func (r *Resource[T]) writeRows(_ context.Context, w io.Writer, headers []string, rows func(func(T) error) error, columns []*field.Field, labels []map[string]string) error {
	sheet, err := xlsx.NewWriter(w, r.spec.title, headers)
	if err != nil {
		return err
	}
	defer sheet.Abort()
	err = rows(func(row T) error {
		v := reflect.ValueOf(row)
		cells := make([]any, len(columns))
		for i, f := range columns {
			cells[i] = f.Cell(v)
			if labels[i] != nil {
				if text, ok := labels[i][cells[i].(string)]; ok {
					cells[i] = text
				}
			}
		}
		return sheet.Row(cells)
	})
	if err != nil {
		return err
	}
	return sheet.Close()
}

// dictionary gives value → label of a dictionary field, nil for others.
func (r *Resource[T]) dictionary(ctx context.Context, f *field.Field) (map[string]string, error) {
	if f.Dict == "" || r.m.App.Dictionary == nil {
		return nil, nil
	}
	return r.m.App.Dictionary(ctx, f.Dict)
}
