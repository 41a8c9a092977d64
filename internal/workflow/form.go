package workflow

import (
	"context"
	"slices"
	"strings"

	"viva/internal/kernel/crud"
	"viva/internal/kernel/errs"
	"viva/internal/kernel/i18n"
	"viva/internal/kernel/store"
	"viva/internal/kernel/table"
	"viva/internal/kernel/web"
)

// Form is a form of a process as the designer stores it. Conf is the text of a JSON
// object, Fields are texts of JSON objects, one for each item.
type Form struct {
	ID     int64                `json:"id"`
	Name   string               `json:"name" label:"表单名称|Form name" in:"required,max=64" q:"like"`
	Conf   string               `json:"conf" in:"-,kind=longtext"`
	Fields store.JSON[[]string] `json:"fields"`
	Status int                  `json:"status" label:"状态|Status" in:"required,dict=common_status,min=0,max=1" q:"eq"`
	Remark string               `json:"remark" label:"备注|Remark" in:"kind=longtext,max=255"`
	crud.Meta
}

var forms = table.New[Form]("bpm_form", "流程表单")

// newForm is what a form is created from; formChange what it is changed by: absent
// members stay.
type newForm struct {
	Name   string   `json:"name" required:"true" maxLength:"64" doc:"表单名称|Form name"`
	Conf   string   `json:"conf" required:"true" doc:"表单配置|Configuration"`
	Fields []string `json:"fields" required:"true" doc:"表单项|Items"`
	Status int      `json:"status" required:"true" enum:"0,1" doc:"状态|Status"`
	Remark string   `json:"remark" maxLength:"255" doc:"备注|Remark"`
}

type formChange struct {
	ID      int64    `json:"id" required:"true" minimum:"1" doc:"编号|Id"`
	Version *int     `json:"version" doc:"读取时的版本|The version that was read"`
	Name    *string  `json:"name" maxLength:"64" doc:"表单名称|Form name"`
	Conf    *string  `json:"conf" doc:"表单配置|Configuration"`
	Fields  []string `json:"fields" doc:"表单项|Items"`
	Status  *int     `json:"status" enum:"0,1" doc:"状态|Status"`
	Remark  *string  `json:"remark" maxLength:"255" doc:"备注|Remark"`
}

// mountForms writes create and update by hand: no kind of field holds long texts in a
// list.
func (s *Service) mountForms(m *web.Module) {
	s.forms = crud.Mount[Form](m, "form", "流程表单|Process form", crud.Simple("name"), crud.Without("create", "update"))
	s.forms.BeforeSave = func(ctx context.Context, _, row *Form) error { return row.check(ctx) }
	web.Post(m, "/form/create", web.Perm("bpm:form:create"), s.createForm, web.Title("新增流程表单"))
	web.Put(m, "/form/update", web.Perm("bpm:form:update"), s.updateForm, web.Title("修改流程表单"))
	describe(m, "form", func(d *crud.Description) {
		d.Calls = append(d.Calls, "create", "update")
		slices.Sort(d.Calls)
	})
}

func (s *Service) createForm(ctx context.Context, in newForm) (int64, error) {
	row := Form{Name: in.Name, Conf: in.Conf, Status: in.Status, Remark: in.Remark}
	row.Fields.V = in.Fields
	err := s.forms.Save(ctx, nil, &row)
	return row.ID, err
}

func (s *Service) updateForm(ctx context.Context, in formChange) (bool, error) {
	old, err := forms.Lock(ctx, in.ID)
	if err != nil {
		return false, err
	}
	if in.Version != nil && *in.Version != old.Version {
		return false, errs.ErrStale.With()
	}
	row := old
	set(&row.Name, in.Name)
	set(&row.Conf, in.Conf)
	set(&row.Status, in.Status)
	set(&row.Remark, in.Remark)
	if in.Fields != nil {
		row.Fields.V = in.Fields
	}
	return true, s.forms.Save(ctx, &old, &row)
}

func set[T any](target, value *T) {
	if value != nil {
		*target = *value
	}
}

// check refuses a form that could not be shown or filled in.
func (f *Form) check(ctx context.Context) error {
	f.Name, f.Remark = strings.TrimSpace(f.Name), strings.TrimSpace(f.Remark)
	if f.Name == "" {
		return errs.Field("name", i18n.Pick(ctx, "表单名称 不能为空", "Form name is required"))
	}
	for _, member := range [...]struct{ name, text string }{{"name", f.Name}, {"remark", f.Remark}} {
		if strings.ContainsRune(member.text, 0) {
			return errs.Field(member.name, i18n.Pick(ctx, "含有无法保存的字符", "holds characters that cannot be stored"))
		}
	}
	return checkDesign(ctx, f.Conf, f.Fields.V)
}
