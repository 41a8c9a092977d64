package crud

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strconv"
	"strings"

	"viva/internal/kernel/errs"
	"viva/internal/kernel/field"
	"viva/internal/kernel/store"
	"viva/internal/kernel/web"
	"viva/internal/kernel/xlsx"
)

// ImportReport tells what became of each row of an import. Row numbers are those of
// the sheet (the header is row 1).
type ImportReport struct {
	Created  int             `json:"created"`
	Updated  int             `json:"updated"`
	Failures []ImportFailure `json:"failures"`
}

// ImportFailure is one refused row.
type ImportFailure struct {
	Row    int               `json:"row"`
	Msg    string            `json:"msg"`
	Fields []errs.FieldError `json:"fields"`
}

const maxImport = 5000

// importRows reads a sheet whose header holds the labels of the input fields. Each row
// is its own transaction, so that good rows stay and bad ones are reported. With
// updateSupport=true a row whose unique field exists changes that row.
func (r *Resource[T]) importRows(ctx context.Context, req web.RawRequest) (any, error) {
	file, _, err := req.File("file")
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	rows, err := ReadSheet(file)
	if err != nil {
		return nil, err
	}
	columns, err := r.match(ctx, rows[0])
	if err != nil {
		return nil, err
	}
	report := ImportReport{Failures: []ImportFailure{}}
	for i, cells := range rows[1:] {
		if strings.TrimSpace(strings.Join(cells, "")) == "" {
			continue
		}
		err := store.Write(ctx, func(ctx context.Context) error {
			return r.importRow(ctx, columns, cells, req.Query.Get("updateSupport") == "true", &report)
		})
		var e *errs.Error
		switch {
		case errors.As(err, &e) && e.Code.Kind != errs.Unavailable:
			report.Failures = append(report.Failures, ImportFailure{Row: i + 2, Msg: e.Text(web.Lang(ctx)), Fields: e.Fields})
		case err != nil:
			return nil, err
		}
	}
	return report, nil
}

// ReadSheet reads an uploaded workbook with the limits of the product and at least a
// header row; refusals are invalid-input errors on the field "file".
func ReadSheet(file io.Reader) ([][]string, error) {
	rows, err := xlsx.Read(file, xlsx.Limits{})
	switch {
	case errors.Is(err, xlsx.ErrTooLarge), errors.Is(err, xlsx.ErrTooManyRows):
		return nil, errs.Field("file", "文件过大：最多 10 MB、5000 行", "the file is too large: at most 10 MB and 5000 rows").Because(err)
	case err != nil:
		return nil, errs.Field("file", "无法读取，请上传 xlsx 工作簿", "cannot be read; upload an xlsx workbook").Because(err)
	case len(rows) < 2:
		return nil, errs.Field("file", "没有数据行", "holds no rows")
	case len(rows) > maxImport+1:
		return nil, errs.Field("file", fmt.Sprintf("一次最多导入 %d 行", maxImport), fmt.Sprintf("at most %d rows at a time", maxImport))
	}
	return rows, nil
}

func (r *Resource[T]) match(ctx context.Context, header []string) ([]*field.Field, error) {
	columns := make([]*field.Field, len(header))
	found := map[string]bool{}
	for i, title := range header {
		title = strings.TrimSuffix(strings.TrimSpace(title), "*")
		for _, f := range r.fields {
			if f.Input && (title == f.Label || title == f.LabelEn || title == f.Name) {
				columns[i] = f
				found[f.Name] = true
			}
		}
	}
	for _, f := range r.fields {
		if f.Input && f.Required && !found[f.Name] {
			return nil, errs.Field("file", "缺少列“"+f.Text(web.Lang(ctx))+"”，请使用模板", "the column "+f.Text("en")+" is missing; use the template")
		}
	}
	return columns, nil
}

func (r *Resource[T]) importRow(ctx context.Context, columns []*field.Field, cells []string, update bool, report *ImportReport) error {
	var row T
	v := reflect.ValueOf(&row).Elem()
	var refused []errs.FieldError
	for i, f := range columns {
		if f == nil {
			continue
		}
		text := ""
		if i < len(cells) {
			text = cells[i]
		}
		text, err := r.stored(ctx, f, text)
		if err != nil {
			return err
		}
		refusal := f.ParseText(text, v)
		if refusal == nil && text != "" {
			if refusal, err = r.checkDict(ctx, f, v); err != nil {
				return err
			}
		}
		if refusal != nil {
			refused = append(refused, fieldError(ctx, f, refusal))
		}
	}
	if err := errs.Fields(refused); err != nil {
		return err
	}
	if old, err := r.existing(ctx, v); err != nil {
		return err
	} else if update && old != nil {
		next := *old
		copyInputs(columns, reflect.ValueOf(&next).Elem(), v)
		report.Updated++
		return undo(&report.Updated, r.Save(ctx, old, &next))
	}
	report.Created++
	return undo(&report.Created, r.Save(ctx, nil, &row))
}

func undo(n *int, err error) error {
	if err != nil {
		*n--
	}
	return err
}

// stored turns what people write into what is kept: the label of a dictionary into its
// value, the name of another row into its id.
func (r *Resource[T]) stored(ctx context.Context, f *field.Field, text string) (string, error) {
	labels, err := r.dictionary(ctx, f)
	if err != nil || labels != nil {
		return valueOf(labels, text), err
	}
	if f.Kind != "ref" || f.RefTable == "" {
		return text, nil
	}
	return idNamed(ctx, f.RefTable, strings.TrimSpace(text))
}

// nameColumns says where a table keeps the name people know a row by, if not in "name".
var nameColumns = map[string]string{"system_users": "username"}

// idNamed gives the id of the one live row of that name; a number, or a name of none or
// of several, stays as it is.
func idNamed(ctx context.Context, table, name string) (string, error) {
	if _, err := strconv.ParseInt(name, 10, 64); err == nil || name == "" {
		return name, nil
	}
	column := cmp.Or(nameColumns[table], "name")
	text := "SELECT id FROM " + table + " WHERE deleted = false AND " + column + " = :name" + ofTenant(ctx, table) + " ORDER BY id LIMIT 2"
	ids, err := store.Select[int64](ctx, store.Generated(text), store.Args{"name": name})
	if err != nil || len(ids) != 1 {
		return name, err
	}
	return strconv.FormatInt(ids[0], 10), nil
}

func valueOf(labels map[string]string, text string) string {
	for value, label := range labels {
		if label == strings.TrimSpace(text) {
			return value
		}
	}
	return text
}

func copyInputs(columns []*field.Field, to, from reflect.Value) {
	for _, f := range columns {
		if f != nil {
			to.FieldByIndex(f.Index).Set(from.FieldByIndex(f.Index))
		}
	}
}

// existing finds the row that has the same value in the first unique field.
func (r *Resource[T]) existing(ctx context.Context, row reflect.Value) (*T, error) {
	for _, f := range r.fields {
		if f.Unique == "" || row.FieldByIndex(f.Index).IsZero() {
			continue
		}
		q := r.from(ctx).Add(store.Generated(" AND t." + f.Column + " = :existing"))
		q.Args()["existing"] = row.FieldByIndex(f.Index).Interface()
		old, ok, err := store.Get[T](ctx, store.Generated("SELECT "+r.columns()+" "+string(q.SQL())), q.Args())
		if err != nil || !ok {
			return nil, err
		}
		return &old, nil
	}
	return nil, nil
}

func (r *Resource[T]) template(ctx context.Context, _ web.RawRequest) (any, error) {
	var headers []string
	for _, f := range r.fields {
		if f.Input {
			title := f.Text(web.Lang(ctx))
			if f.Required {
				title += "*"
			}
			headers = append(headers, title)
		}
	}
	return &web.Download{Name: r.spec.title + "导入模板.xlsx", Type: web.SheetType, Write: func(w io.Writer) error {
		sheet, err := xlsx.NewWriter(w, r.spec.title, headers)
		if err != nil {
			return err
		}
		return sheet.Close()
	}}, nil
}
