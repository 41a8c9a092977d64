package academic

import (
	"context"
	"errors"
	"io"
	"net/http"
	"reflect"
	"strings"

	"viva/internal/kernel/crud"
	"viva/internal/kernel/errs"
	"viva/internal/kernel/field"
	"viva/internal/kernel/store"
	"viva/internal/kernel/web"
	"viva/internal/kernel/xlsx"
)

// StudentImport is the report of an import: what would be done (DryRun) or was done.
type StudentImport struct {
	DryRun bool `json:"dryRun"`
	crud.ImportReport
}

// importNames are the columns of the sheet in order. Colleges, majors and advisors are
// written by name, code or number, since nobody knows row ids.
var importNames = []string{"studentNo", "name", "sex", "deptId", "majorId", "degreeLevel", "degreeType", "studyMode", "entryYear",
	"baseMonths", "maxMonths", "lifeState", "mobile", "email", "researchField", "advisorId"}

const (
	sqlDeptByName   = `SELECT d.id FROM system_dept d WHERE d.tenant_id = :tenant AND d.deleted = false AND d.name = :name ORDER BY d.id LIMIT 1`
	advisorNoColumn = "导师工号"
)

// errDryRun rolls a checked row back.
var errDryRun = errors.New("dry run")

func (s *Service) mountImport(m *web.Module) {
	access := web.Perm("thesis:students:import")
	web.Raw(m, web.RawCall{Method: http.MethodPost, Path: "/students/import", Access: access, Summary: "导入学生（dryRun=true 只检查）",
		StreamBody: true, MaxBytes: 11 << 20, Fn: s.importStudents})
	web.Raw(m, web.RawCall{Method: http.MethodGet, Path: "/students/get-import-template", Access: access, Summary: "学生导入模板", Fn: s.importTemplate})
}

func (s *Service) importFields() []*field.Field {
	byName := map[string]*field.Field{}
	for _, f := range s.students.Fields() {
		byName[f.Name] = f
	}
	list := make([]*field.Field, len(importNames))
	for i, name := range importNames {
		list[i] = byName[name]
	}
	return list
}

func header(ctx context.Context, f *field.Field) string {
	if f.Name == "advisorId" {
		return text(ctx, advisorNoColumn, "Advisor staff no.")
	}
	return f.Text(web.Lang(ctx))
}

func (s *Service) importTemplate(ctx context.Context, _ web.RawRequest) (any, error) {
	var headers []string
	for _, f := range s.importFields() {
		title := header(ctx, f)
		if f.Required {
			title += "*"
		}
		headers = append(headers, title)
	}
	return &web.Download{Name: "学生导入模板.xlsx", Type: web.SheetType, Write: func(w io.Writer) error {
		sheet, err := xlsx.NewWriter(w, "学生", headers)
		if err != nil {
			return err
		}
		return sheet.Close()
	}}, nil
}

// importStudents handles each row in its own transaction, so that good rows stay and
// each bad one is reported with its row number and fields.
func (s *Service) importStudents(ctx context.Context, req web.RawRequest) (any, error) {
	file, _, err := req.File("file")
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	rows, err := crud.ReadSheet(file)
	if err != nil {
		return nil, err
	}
	columns, err := s.importColumns(ctx, rows[0])
	if err != nil {
		return nil, err
	}
	report := StudentImport{DryRun: req.Query.Get("dryRun") == "true", ImportReport: crud.ImportReport{Failures: []crud.ImportFailure{}}}
	update := req.Query.Get("updateSupport") == "true"
	for i, cells := range rows[1:] {
		if strings.TrimSpace(strings.Join(cells, "")) == "" {
			continue
		}
		created := false
		err := store.Write(ctx, func(ctx context.Context) (err error) {
			created, err = s.importStudent(ctx, columns, cells, update)
			if err == nil && report.DryRun {
				return errDryRun
			}
			return err
		})
		var e *errs.Error
		switch {
		case err == nil || errors.Is(err, errDryRun):
			if created {
				report.Created++
			} else {
				report.Updated++
			}
		case errors.As(err, &e) && e.Code.Kind != errs.Unavailable:
			report.Failures = append(report.Failures, crud.ImportFailure{Row: i + 2, Msg: e.Text(web.Lang(ctx)), Fields: e.Fields})
		default:
			return nil, err
		}
	}
	return report, nil
}

func (s *Service) importColumns(ctx context.Context, titles []string) (map[int]*field.Field, error) {
	columns, found := map[int]*field.Field{}, map[string]bool{}
	for i, title := range titles {
		title = strings.TrimSuffix(strings.TrimSpace(title), "*")
		for _, f := range s.importFields() {
			if title == f.Label || title == f.LabelEn || title == f.Name || f.Name == "advisorId" && title == header(ctx, f) {
				columns[i], found[f.Name] = f, true
			}
		}
	}
	for _, f := range s.importFields() {
		if f.Required && !found[f.Name] {
			return nil, errs.Field("file", text(ctx, "缺少列“"+f.Label+"”，请使用模板", "column \""+f.LabelEn+"\" is missing; use the template"))
		}
	}
	return columns, nil
}

// importStudent writes one row and reports whether it is new.
func (s *Service) importStudent(ctx context.Context, columns map[int]*field.Field, cells []string, update bool) (bool, error) {
	given := map[string]string{}
	for i, f := range columns {
		if i < len(cells) {
			given[f.Name] = strings.TrimSpace(cells[i])
		}
	}
	old, found, err := store.Get[Student](ctx, sqlStudentByNo, store.Args{"no": given["studentNo"]})
	if err != nil {
		return false, err
	}
	if found && !update {
		return false, errs.Field("studentNo", text(ctx, "学号已存在；勾选“更新已有”可覆盖", "this number exists; choose \"update existing\" to overwrite"))
	}
	if found {
		if _, err := s.students.Read(ctx, old.ID); err != nil { // outside the scope: as if it were not there
			return false, err
		}
	}
	row := old
	if err := s.fill(ctx, columns, given, &row); err != nil {
		return false, err
	}
	advisor, err := s.advisorOf(ctx, given["advisorId"])
	if err != nil {
		return false, err
	}
	if found {
		err = s.students.Save(ctx, &old, &row)
	} else {
		err = s.students.Save(ctx, nil, &row)
	}
	if err != nil || advisor == 0 {
		return !found, err
	}
	return !found, s.Assign(ctx, row.ID, advisor, RoleMain, text(ctx, "导入", "import"))
}

func (s *Service) advisorOf(ctx context.Context, staffNo string) (int64, error) {
	if staffNo == "" {
		return 0, nil
	}
	a, found, err := store.Get[Advisor](ctx, sqlAdvisorByNo, store.Args{"no": staffNo})
	if err != nil || !found {
		return 0, orField(err, "advisorId", text(ctx, "没有工号为 "+staffNo+" 的导师", "no advisor has staff number "+staffNo))
	}
	return a.ID, nil
}

// fill reads the cells into the row; names become ids, labels become values.
func (s *Service) fill(ctx context.Context, columns map[int]*field.Field, given map[string]string, row *Student) error {
	v := reflect.ValueOf(row).Elem()
	var refused []errs.FieldError
	for _, f := range s.importFields() {
		if f.Name == "advisorId" || !has(columns, f) {
			continue
		}
		value, err := s.cellValue(ctx, f, given[f.Name])
		if err != nil {
			return err
		}
		if value == "" && given[f.Name] != "" {
			refused = append(refused, errs.FieldError{Name: f.Name, Msg: f.Text(web.Lang(ctx)) + text(ctx, "“", " \"") + given[f.Name] + text(ctx, "”不存在", "\" does not exist")})
			continue
		}
		if refusal := f.ParseText(value, v); refusal != nil {
			refused = append(refused, errs.FieldError{Name: f.Name, Msg: f.Text(web.Lang(ctx)) + " " + refusal.In(web.Lang(ctx))})
		}
	}
	return errs.Fields(refused)
}

func has(columns map[int]*field.Field, f *field.Field) bool {
	for _, c := range columns {
		if c == f {
			return true
		}
	}
	return false
}

// cellValue turns what people write into what the field reads; empty when unknown.
func (s *Service) cellValue(ctx context.Context, f *field.Field, given string) (string, error) {
	if given == "" {
		return "", nil
	}
	switch {
	case f.Name == "deptId":
		return found[int64](store.Get[int64](ctx, sqlDeptByName, store.Args{"name": given}))
	case f.Name == "majorId":
		m, ok, err := store.Get[simpleMajor](ctx, sqlMajorFind, store.Args{"text": given})
		return found(m.ID, ok, err)
	case f.Dict != "" && s.app.Dictionary != nil:
		labels, err := s.app.Dictionary(ctx, f.Dict)
		if err != nil {
			return "", err
		}
		for value, label := range labels {
			if label == given || value == given {
				return value, nil
			}
		}
		return "", nil
	}
	return given, nil
}
