package crud

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"

	"viva/internal/kernel/errs"
	"viva/internal/kernel/field"
	"viva/internal/kernel/store"
	"viva/internal/kernel/table"
	"viva/internal/kernel/web"
)

func (r *Resource[T]) create(ctx context.Context, req web.RawRequest) (any, error) {
	body, err := object(req.Body)
	if err != nil {
		return nil, err
	}
	var row T
	if err := r.decode(ctx, body, &row); err != nil {
		return nil, err
	}
	if err := r.Save(ctx, nil, &row); err != nil {
		return nil, err
	}
	return r.idOf(&row), nil
}

func (r *Resource[T]) update(ctx context.Context, req web.RawRequest) (any, error) {
	body, err := object(req.Body)
	if err != nil {
		return nil, err
	}
	id, err := strconv.ParseInt(string(body["id"]), 10, 64)
	if err != nil || id <= 0 {
		return nil, errs.Field("id", "编号不正确", "is not an id")
	}
	if _, err := r.Read(ctx, id); err != nil {
		return nil, err
	}
	old, err := r.Table.Lock(ctx, id)
	if err != nil {
		return nil, err
	}
	row := old
	if raw, ok := body["version"]; ok && string(raw) != "null" {
		version, err := strconv.Atoi(string(raw))
		if err != nil {
			return nil, errs.Field("version", "版本号不正确", "is not a version")
		}
		if version != r.stamp(&old).Version {
			return nil, errs.ErrStale.With()
		}
	}
	if err := r.decode(ctx, body, &row); err != nil {
		return nil, err
	}
	return true, r.Save(ctx, &old, &row)
}

// Save writes a new row (old nil) or a changed one with all checks and hooks.
func (r *Resource[T]) Save(ctx context.Context, old, row *T) error {
	if r.BeforeSave != nil {
		if err := r.BeforeSave(ctx, old, row); err != nil {
			return err
		}
	}
	if err := r.checkStored(ctx, old, row); err != nil {
		return err
	}
	var err error
	if old == nil {
		err = r.Table.Insert(ctx, row)
	} else {
		err = r.Table.Update(ctx, row)
	}
	if table.IsDuplicate(err) { // somebody was faster than checkStored
		return errs.ErrInvalid.With(r.spec.title + "已存在").Because(err)
	}
	if err != nil || r.AfterSave == nil {
		return err
	}
	return r.AfterSave(ctx, old, row)
}

func object(body []byte) (map[string]json.RawMessage, error) {
	var m map[string]json.RawMessage
	if err := json.Unmarshal(body, &m); err != nil || m == nil {
		return nil, errs.Field("", "JSON 格式不正确", "malformed JSON")
	}
	return m, nil
}

// decode binds the declared inputs and nothing else; for a change, absent members keep
// their value.
func (r *Resource[T]) decode(ctx context.Context, body map[string]json.RawMessage, row *T) error {
	v := reflect.ValueOf(row).Elem()
	fresh := r.idOf(row) == 0
	var refused []errs.FieldError
	for _, f := range r.fields {
		raw, present := body[f.Name]
		if !f.Input || !present && !fresh {
			continue
		}
		refusal := f.Decode(raw, v)
		if refusal == nil {
			var err error
			if refusal, err = r.checkDict(ctx, f, v); err != nil {
				return err
			}
		}
		if refusal != nil {
			refused = append(refused, fieldError(ctx, f, refusal))
		}
	}
	return errs.Fields(refused)
}

func fieldError(ctx context.Context, f *field.Field, r *field.Refusal) errs.FieldError {
	return errs.FieldError{Name: f.Name, Msg: f.Text(web.Lang(ctx)) + " " + r.In(web.Lang(ctx))}
}

func (r *Resource[T]) checkDict(ctx context.Context, f *field.Field, row reflect.Value) (*field.Refusal, error) {
	labels, err := r.dictionary(ctx, f)
	if err != nil || labels == nil {
		return nil, err
	}
	value := row.FieldByIndex(f.Index)
	text := fmt.Sprint(value.Interface())
	if _, ok := labels[text]; ok || value.Kind() == reflect.String && text == "" && !f.Required {
		return nil, nil
	}
	return &field.Refusal{Zh: "不在可选范围内", En: "is not one of the choices"}, nil
}

// checkStored refuses duplicates of unique fields and references to rows that do not
// exist in the tenant. It asks for all of them at once.
func (r *Resource[T]) checkStored(ctx context.Context, old, row *T) error {
	v := reflect.ValueOf(row).Elem()
	var questions store.Batch
	var checks []func() error
	for _, f := range r.fields {
		value := v.FieldByIndex(f.Index)
		if value.IsZero() {
			continue
		}
		if f.Unique != "" {
			same := store.Read[int64](&questions, store.Generated(r.duplicates(f)), store.Args{"value": value.Interface(), "id": r.idOf(row)})
			checks = append(checks, func() error {
				return refuse(ctx, f, (*same)[0] > 0, "已存在，请换一个", " is taken; choose another")
			})
		}
		changed := old == nil || !reflect.DeepEqual(reflect.ValueOf(old).Elem().FieldByIndex(f.Index).Interface(), value.Interface())
		if f.RefTable != "" && f.Kind == "ref" && f.Input && changed {
			there := store.Read[int64](&questions, store.Generated(countByID(ctx, f.RefTable)), store.Args{"id": value.Interface()})
			checks = append(checks, func() error { return refuse(ctx, f, (*there)[0] == 0, "不存在", " does not exist") })
		}
	}
	if err := questions.Send(ctx); err != nil {
		return err
	}
	for _, check := range checks {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

func refuse(ctx context.Context, f *field.Field, refused bool, zh, en string) error {
	if !refused {
		return nil
	}
	return errs.Field(f.Name, f.Text(web.Lang(ctx))+map[string]string{"zh": zh, "en": en}[web.Lang(ctx)])
}

func (r *Resource[T]) duplicates(f *field.Field) string {
	text := "SELECT COUNT(*) FROM " + r.spec.table + " WHERE deleted = false AND id <> :id AND " + f.Column + " = :value"
	if r.Table.Scoped() {
		text += " AND tenant_id = :tenant"
	}
	return text
}

// Exists reports whether a live row with the id exists in the table (of the caller's
// tenant, when the table has tenants). table is a constant of the program.
func Exists(ctx context.Context, table string, id any) (bool, error) {
	n, _, err := store.Get[int64](ctx, store.Generated(countByID(ctx, table)), store.Args{"id": id})
	return n > 0, err
}

func countByID(ctx context.Context, table string) string {
	return "SELECT COUNT(*) FROM " + table + " WHERE deleted = false AND id = :id" + ofTenant(ctx, table)
}

// ofTenant limits a query to the caller's tenant where the table belongs to tenants.
func ofTenant(ctx context.Context, table string) string {
	if slices.Contains(store.From(ctx).TenantTables(), table) {
		return " AND tenant_id = :tenant"
	}
	return ""
}

func (r *Resource[T]) delete(ctx context.Context, req web.RawRequest) (any, error) {
	id, err := ReadID(req.Query)
	if err != nil {
		return nil, err
	}
	return true, r.Remove(ctx, id)
}

// maxBatch bounds one batch call; larger ones are jobs.
const maxBatch = 500

func (r *Resource[T]) deleteList(ctx context.Context, req web.RawRequest) (any, error) {
	ids := req.Query["ids"]
	if len(ids) == 0 || len(ids) > maxBatch {
		return nil, errs.Field("ids", fmt.Sprintf("请选择 1 到 %d 行", maxBatch), fmt.Sprintf("choose 1 to %d rows", maxBatch))
	}
	for _, text := range ids {
		id, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return nil, errs.Field("ids", "编号不正确", "is not an id")
		}
		if err := r.Remove(ctx, id); err != nil {
			return nil, err
		}
	}
	return true, nil
}

// Remove deletes one row with scope check and hook.
func (r *Resource[T]) Remove(ctx context.Context, id int64) error {
	row, err := r.Read(ctx, id)
	if err != nil {
		return err
	}
	if r.BeforeDelete != nil {
		if err := r.BeforeDelete(ctx, row); err != nil {
			return err
		}
	}
	return r.Table.Delete(ctx, id)
}

func (r *Resource[T]) idOf(row *T) int64 { return reflect.ValueOf(row).Elem().FieldByName("ID").Int() }

func (r *Resource[T]) stamp(row *T) *table.Stamp { return r.Table.Stamp(row) }
