package identity

import (
	"context"
	"errors"
	"io"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"viva/internal/kernel/actor"
	"viva/internal/kernel/crud"
	"viva/internal/kernel/errs"
	"viva/internal/kernel/field"
	"viva/internal/kernel/i18n"
	"viva/internal/kernel/store"
	"viva/internal/kernel/web"
	"viva/internal/kernel/xlsx"
)

// importColumn is a column of the user sheet: its header, the field it fills and, for
// choices, the labels in order of their values from first.
type importColumn struct {
	header, field string
	required      bool
	dict          string
	labels        []string
	first         int
	note          string
}

var importColumns = []importColumn{
	{header: "登录名称", field: "username", required: true, note: "4 到 30 位字母或数字，学生用学号、教师用工号"},
	{header: "用户名称", field: "nickname", required: true},
	{header: "部门编号", field: "deptId", note: "见“部门管理”"},
	{header: "用户邮箱", field: "email"},
	{header: "手机号码", field: "mobile"},
	{header: "用户性别", field: "sex", dict: "system_user_sex", labels: []string{"男", "女"}, first: 1},
	{header: "账号状态", field: "status", dict: "common_status", labels: []string{"开启", "关闭"}},
	{header: "用户类型", field: "type", dict: "user_type", labels: []string{"学生", "教师"}, first: 1, note: "不填为教师"},
}

func (s *Service) mountUserImport() {
	web.Raw(s.m, web.RawCall{Method: "POST", Path: "/user/import", Access: web.Perm("system:user:import"), Summary: "导入用户",
		StreamBody: true, MaxBytes: 11 << 20, Fn: s.importUsers})
	web.Stream(s.m, "/user/get-import-template", web.Perm("system:user:import"), s.importTemplate, web.Title("用户导入模板"))
}

func (s *Service) importTemplate(context.Context, web.None) (*web.Download, error) {
	columns := make([]xlsx.Column, len(importColumns))
	examples := []any{"zhangsan", "张三", "", "zhangsan@example.edu", "13800000000", "男", "开启", "教师"}
	for i, c := range importColumns {
		columns[i] = xlsx.Column{Header: c.header, Note: c.note, Options: c.labels, Example: examples[i], Text: c.labels == nil}
	}
	return &web.Download{Name: "用户导入模板.xlsx", Type: web.SheetType, Write: func(w io.Writer) error {
		return xlsx.WriteTemplate(w, "用户列表", columns)
	}}, nil
}

// ImportReport is the family's report, and each refused row by its number in the sheet.
type ImportReport struct {
	CreateUsernames  []string             `json:"createUsernames"`
	UpdateUsernames  []string             `json:"updateUsernames"`
	FailureUsernames map[string]string    `json:"failureUsernames"`
	Failures         []crud.ImportFailure `json:"failures"`
}

// importing is one import under way.
type importing struct {
	s       *Service
	columns []*importColumn
	fields  map[string]*field.Field
	values  map[string]map[string]string // dictionary: label → value
	hash    string
	update  bool
	report  ImportReport
}

// importUsers makes each row its own transaction, so that good rows stay. All new users
// share one hash of the initial password: hashing for each would take minutes.
func (s *Service) importUsers(ctx context.Context, r web.RawRequest) (any, error) {
	file, _, err := r.File("file")
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	rows, err := crud.ReadSheet(file)
	if err != nil {
		return nil, err
	}
	im := &importing{s: s, update: r.Query.Get("updateSupport") == "true", fields: map[string]*field.Field{}, values: map[string]map[string]string{},
		report: ImportReport{CreateUsernames: []string{}, UpdateUsernames: []string{}, FailureUsernames: map[string]string{}, Failures: []crud.ImportFailure{}}}
	if err := im.prepare(ctx, rows[0]); err != nil {
		return nil, err
	}
	for i, cells := range rows[1:] {
		if strings.TrimSpace(strings.Join(cells, "")) == "" {
			continue
		}
		if err := im.row(ctx, i+2, cells); err != nil {
			return nil, err
		}
	}
	return im.report, nil
}

func (im *importing) prepare(ctx context.Context, header []string) error {
	for _, f := range im.s.users.Fields() {
		im.fields[f.Name] = f
	}
	im.columns = make([]*importColumn, len(header))
	for i := range importColumns {
		c := &importColumns[i]
		at := slices.IndexFunc(header, func(h string) bool { return strings.TrimSuffix(strings.TrimSpace(h), "*") == c.header })
		if at >= 0 {
			im.columns[at] = c
		} else if c.required {
			return say(ctx, "file", "缺少列“"+c.header+"”，请使用模板", "the column "+c.header+" is missing; use the template")
		}
		if c.dict == "" {
			continue
		}
		own := map[string]string{}
		for n, label := range c.labels {
			own[strconv.Itoa(c.first+n)] = label
		}
		labels, err := im.s.labels(ctx, c.dict, own)
		if err != nil {
			return err
		}
		values := map[string]string{}
		for _, set := range []map[string]string{own, labels} {
			for value, label := range set {
				values[label], values[value] = value, value
			}
		}
		im.values[c.field] = values
	}
	return im.initialHash(ctx)
}

func (im *importing) initialHash(ctx context.Context) error {
	secret := ""
	if im.s.InitialPassword != nil {
		var err error
		if secret, err = im.s.InitialPassword(ctx); err != nil {
			return err
		}
	}
	if secret == "" {
		return errInitialPassword.With()
	}
	hash, err := newHash(ctx, "file", "", secret)
	im.hash = hash
	return err
}

// row imports one line; a returned error stops the import, refusals are reported.
func (im *importing) row(ctx context.Context, number int, cells []string) error {
	username, updated := "", false
	err := store.Write(ctx, func(ctx context.Context) error {
		row, err := im.read(ctx, cells)
		username = row.Username
		if err != nil {
			return err
		}
		updated, err = im.save(ctx, row)
		return err
	})
	var refusal *errs.Error
	switch {
	case err == nil && updated:
		im.report.UpdateUsernames = append(im.report.UpdateUsernames, username)
	case err == nil:
		im.report.CreateUsernames = append(im.report.CreateUsernames, username)
	case errors.As(err, &refusal) && refusal.Code.Kind != errs.Unavailable:
		if username == "" {
			username = i18n.Pick(ctx, "第 ", "row ") + strconv.Itoa(number) + i18n.Pick(ctx, " 行", "")
		}
		msg := refusal.Text(i18n.Lang(ctx))
		im.report.FailureUsernames[username] = msg
		im.report.Failures = append(im.report.Failures, crud.ImportFailure{Row: number, Msg: msg, Fields: refusal.Fields})
	default:
		return err
	}
	return nil
}

func (im *importing) read(ctx context.Context, cells []string) (User, error) {
	row := User{Type: actor.Teacher}
	var refused []errs.FieldError
	for i, c := range im.columns {
		if c == nil || i >= len(cells) {
			continue
		}
		text := strings.TrimSpace(cells[i])
		if text == "" {
			if c.required {
				refused = append(refused, errs.FieldError{Name: c.field, Msg: c.header + i18n.Pick(ctx, " 不能为空", " is required")})
			}
			continue
		}
		if values := im.values[c.field]; values != nil {
			value, ok := values[text]
			if !ok {
				refused = append(refused, errs.FieldError{Name: c.field, Msg: c.header + i18n.Pick(ctx, " 不在可选范围内：", " is not one of the choices: ") + text})
				continue
			}
			text = value
		}
		if r := im.fields[c.field].ParseText(text, reflect.ValueOf(&row).Elem()); r != nil {
			refused = append(refused, errs.FieldError{Name: c.field, Msg: c.header + " " + r.In(i18n.Lang(ctx))})
		}
	}
	return row, errs.Fields(refused)
}

// save makes the user or, with updateSupport, changes what is filled in of the one who
// exists; the type never changes.
func (im *importing) save(ctx context.Context, row User) (updated bool, err error) {
	id, exists, err := store.Get[int64](ctx, sqlUserByName, store.Args{"username": strings.ToLower(row.Username)})
	if err != nil {
		return false, err
	}
	if !exists || !im.update {
		row.Password = im.hash
		return false, im.s.users.Save(ctx, nil, &row)
	}
	old, err := im.s.users.Read(ctx, id)
	if err != nil {
		return false, err
	}
	next := old
	for _, c := range im.columns {
		if c != nil && c.field != "type" && c.field != "username" && c.field != "status" {
			index := im.fields[c.field].Index
			if given := reflect.ValueOf(row).FieldByIndex(index); !given.IsZero() {
				reflect.ValueOf(&next).Elem().FieldByIndex(index).Set(given)
			}
		}
	}
	if err := im.s.users.Save(ctx, &old, &next); err != nil || !im.hasColumn("status") || row.Status == old.Status {
		return true, err
	}
	_, err = im.s.setUserStatus(ctx, statusInput{ID: id, Status: row.Status})
	return true, err
}

func (im *importing) hasColumn(name string) bool {
	return slices.ContainsFunc(im.columns, func(c *importColumn) bool { return c != nil && c.field == name })
}
