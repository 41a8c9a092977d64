package system

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"viva/internal/kernel/crud"
	"viva/internal/kernel/errs"
	"viva/internal/kernel/i18n"
	"viva/internal/kernel/module"
	"viva/internal/kernel/store"
	"viva/internal/kernel/web"
)

// NotifyTemplate is the text of a kind of internal message, shared by all tenants.
// {name} in Content is replaced by the parameter of that name; Params lists them.
type NotifyTemplate struct {
	ID       int64                `json:"id" label:"模板编号|Id"`
	Name     string               `json:"name" label:"模板名称|Name" in:"required,max=63" q:"like"`
	Code     string               `json:"code" label:"模板编码|Code" in:"required,max=64" q:"like"`
	Type     int                  `json:"type" label:"模板类型|Type" in:"required,dict=system_notify_template_type" q:"eq"`
	Nickname string               `json:"nickname" label:"发送人名称|Sender" in:"required,max=50"`
	Content  string               `json:"content" label:"模板内容|Content" in:"required,kind=longtext,max=1024"`
	Params   store.JSON[[]string] `json:"params" label:"参数|Parameters"`
	Status   int                  `json:"status" label:"状态|Status" in:"required,dict=common_status" q:"eq"`
	Remark   string               `json:"remark" label:"备注|Remark" in:"kind=longtext,max=255"`
	crud.Shared
}

func (s *Service) mountNotifyTemplates(m *web.Module) {
	s.templates = crud.Mount[NotifyTemplate](m, "notify-template", "站内信模板|Message template", crud.Simple("name", "code"), crud.Without("export-excel"))
	s.templates.BeforeSave = checkTemplate
	s.templates.BeforeDelete = func(ctx context.Context, _ NotifyTemplate) error { return web.OperatorOnly(ctx) }
	web.Post(m, "/notify-template/send-notify", web.Perm("system:notify-template:send-notify"), sendNotify, web.Title("发送站内信"))
}

var (
	placeholder  = regexp.MustCompile(`\{([A-Za-z_][A-Za-z0-9_]*)\}`)
	templateForm = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_.\-]*$`)
)

const (
	sqlTemplateCoded  = `SELECT COUNT(*) FROM system_notify_template WHERE deleted = false AND code = :code AND id <> :id`
	sqlTemplateByCode = `SELECT * FROM system_notify_template WHERE deleted = false AND code = :code`
	sqlTemplateCodes  = `SELECT code FROM system_notify_template`
)

func checkTemplate(ctx context.Context, _, row *NotifyTemplate) error {
	if err := web.OperatorOnly(ctx); err != nil {
		return err
	}
	if !templateForm.MatchString(row.Code) {
		return errs.Field("code", i18n.Pick(ctx, "模板编码只能含字母、数字和 _ . -，并以字母开头", "Code may hold letters, digits and _ . - and starts with a letter"))
	}
	n, _, err := store.Get[int64](ctx, sqlTemplateCoded, store.Args{"code": row.Code, "id": row.ID})
	if err != nil || n > 0 {
		return firstError(err, errTemplateCodeTaken.With(row.Code))
	}
	row.Params.V = paramsOf(row.Content)
	return nil
}

// paramsOf lists the parameters of a text in the order of their first mention.
func paramsOf(content string) []string {
	params := []string{}
	for _, m := range placeholder.FindAllStringSubmatch(content, -1) {
		if !slices.Contains(params, m[1]) {
			params = append(params, m[1])
		}
	}
	return params
}

// fill puts the parameters into the text and names the first one that is missing. The
// result is plain text: markup in a parameter is shown as it stands.
func (t NotifyTemplate) fill(params map[string]any) (text, missing string) {
	text = placeholder.ReplaceAllStringFunc(t.Content, func(found string) string {
		name := strings.Trim(found, "{}")
		value, ok := params[name]
		if !ok || value == nil {
			if missing == "" {
				missing = name
			}
			return ""
		}
		return fmt.Sprint(value)
	})
	if r := []rune(text); len(r) > maxMessage {
		text = string(r[:maxMessage-1]) + "…"
	}
	return strings.ToValidUTF8(strings.ReplaceAll(text, "\x00", ""), ""), missing
}

// maxMessage is the most characters of a message.
const maxMessage = 4000

// seedTemplates writes the modules' templates that were never there.
func (s *Service) seedTemplates(ctx context.Context) error {
	codes, err := store.Select[string](ctx, sqlTemplateCodes, nil)
	if err != nil {
		return err
	}
	known := setOf(codes)
	for _, m := range s.modules() {
		for _, t := range m.Templates {
			if known[t.Code] {
				continue
			}
			known[t.Code] = true
			if err := s.templates.Table.Insert(ctx, templateOf(t)); err != nil {
				return fmt.Errorf("system: seed template %s: %w", t.Code, err)
			}
		}
	}
	return nil
}

func templateOf(t module.Template) *NotifyTemplate {
	row := &NotifyTemplate{Name: t.Name, Code: t.Code, Type: t.Type, Nickname: t.Nickname, Content: t.Content}
	row.Params.V = paramsOf(t.Content)
	return row
}
