package workflow

import (
	"context"
	"encoding/json"

	"viva/internal/identity"
	"viva/internal/kernel/store"
)

// DemoSeed writes a first set of categories, groups, expressions and a leave form into
// the tenant of ctx, as the system. It does nothing in a tenant that has categories.
func (s *Service) DemoSeed(ctx context.Context, org identity.Organisation) error {
	return store.Write(ctx, func(ctx context.Context) error {
		n, _, err := store.Get[int64](ctx, sqlAnyCategory, nil)
		if err != nil || n > 0 {
			return err
		}
		for i, c := range demoCategories {
			c.Sort = i + 1
			if err := categories.Insert(ctx, &c); err != nil {
				return err
			}
		}
		for _, g := range demoGroups {
			row := UserGroup{Name: g.name, Description: g.description}
			for _, name := range g.members {
				if id := org.Users[name]; id > 0 {
					row.MemberUserIDs.V = append(row.MemberUserIDs.V, id)
				}
			}
			if err := userGroups.Insert(ctx, &row); err != nil {
				return err
			}
		}
		for _, e := range demoExpressions {
			if err := processExpressions.Insert(ctx, &e); err != nil {
				return err
			}
		}
		form, err := demoLeaveForm()
		if err != nil {
			return err
		}
		return s.forms.Save(ctx, nil, &form)
	})
}

const sqlAnyCategory = `SELECT COUNT(*) FROM bpm_category WHERE tenant_id = :tenant AND deleted = false`

var demoCategories = []Category{
	{Name: "学位论文", Code: "thesis", Description: "选题、开题、答辩等培养环节的审批"},
	{Name: "学籍与请假", Code: "student_affairs", Description: "学生日常事务的审批"},
	{Name: "行政办公", Code: "office", Description: "教职工办公事务的审批"},
}

var demoGroups = []struct {
	name, description string
	members           []string
}{
	{"研究生院值班组", "受理超期未办的任务", []string{"degree01", "training01"}},
	{"学位论文评议组", "需要多人评议的环节", []string{"advisor01", "advisor02", "secretary01"}},
}

var demoExpressions = []ProcessExpression{
	{Name: "请假超过三天", Expression: "${day > 3}"},
	{Name: "由表单中的经办人处理", Expression: "${empty handler ? initiator : handler}"},
}

// demoItem is an item of a form as the form designer writes it.
type demoItem struct {
	Type    string         `json:"type"`
	Field   string         `json:"field"`
	Title   string         `json:"title"`
	Require bool           `json:"$required"`
	Options []demoOption   `json:"options,omitempty"`
	Props   map[string]any `json:"props,omitempty"`
}

type demoOption struct {
	Value string `json:"value"`
	Label string `json:"label"`
}

func demoLeaveForm() (Form, error) {
	return demoForm("请假申请", "学生与教职工通用",
		demoItem{Type: "DictSelect", Field: "type", Title: "请假类型", Require: true, Props: map[string]any{"dictType": "bpm_oa_leave_type"}},
		demoItem{Type: "datePicker", Field: "startTime", Title: "开始日期", Require: true},
		demoItem{Type: "datePicker", Field: "endTime", Title: "结束日期", Require: true},
		demoItem{Type: "inputNumber", Field: "day", Title: "请假天数", Require: true, Props: map[string]any{"min": 1, "max": 180}},
		demoItem{Type: "textarea", Field: "reason", Title: "请假事由", Require: true, Props: map[string]any{"maxlength": 500}})
}

func demoSealForm() (Form, error) {
	return demoForm("用印申请", "合同、证明和成绩单盖章",
		demoItem{Type: "input", Field: "document", Title: "文件名称", Require: true, Props: map[string]any{"maxlength": 100}},
		demoItem{Type: "select", Field: "seal", Title: "印章", Require: true, Options: []demoOption{{"研究生院章", "研究生院章"}, {"学位评定委员会章", "学位评定委员会章"}, {"学院章", "学院章"}}},
		demoItem{Type: "inputNumber", Field: "copies", Title: "份数", Require: true, Props: map[string]any{"min": 1, "max": 100}},
		demoItem{Type: "textarea", Field: "purpose", Title: "用途", Require: true, Props: map[string]any{"maxlength": 500}})
}

func demoForm(name, remark string, items ...demoItem) (Form, error) {
	form := Form{Name: name, Conf: `{"form":{"labelPosition":"top"},"submitBtn":{"show":true},"resetBtn":{"show":false}}`, Remark: remark}
	for _, item := range items {
		text, err := json.Marshal(item)
		if err != nil {
			return form, err
		}
		form.Fields.V = append(form.Fields.V, string(text))
	}
	return form, nil
}
