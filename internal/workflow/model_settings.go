package workflow

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"viva/internal/kernel/errs"
	"viva/internal/kernel/richtext"
	"viva/internal/kernel/store"
)

// ModelSettings are the members that the second generation of clients added to a model;
// a definition keeps those it was deployed with. Contract bpm.md A.3.
type ModelSettings struct {
	Type                        int                   `json:"type" doc:"模型类型|Type"`
	Visible                     bool                  `json:"visible" doc:"可见|Visible"`
	StartUserIDs                []int64               `json:"startUserIds" doc:"可发起人|Starters"`
	StartDeptIDs                []int64               `json:"startDeptIds" doc:"可发起部门|Departments that may start"`
	ManagerUserIDs              []int64               `json:"managerUserIds" doc:"流程管理员|Managers"`
	AllowCancelRunningProcess   bool                  `json:"allowCancelRunningProcess" doc:"允许撤销审批中的申请|May be cancelled while running"`
	AllowWithdrawTask           bool                  `json:"allowWithdrawTask" doc:"允许审批人撤回|Approvers may withdraw"`
	AutoApprovalType            int                   `json:"autoApprovalType" doc:"自动去重|Repeated approvers"`
	ProcessIDRule               *ProcessIDRule        `json:"processIdRule"`
	TitleSetting                *TitleSetting         `json:"titleSetting"`
	SummarySetting              *SummarySetting       `json:"summarySetting"`
	ProcessBeforeTriggerSetting *HTTPHook             `json:"processBeforeTriggerSetting"`
	ProcessAfterTriggerSetting  *HTTPHook             `json:"processAfterTriggerSetting"`
	TaskBeforeTriggerSetting    *HTTPHook             `json:"taskBeforeTriggerSetting"`
	TaskAfterTriggerSetting     *HTTPHook             `json:"taskAfterTriggerSetting"`
	PrintTemplateSetting        *PrintTemplateSetting `json:"printTemplateSetting"`
}

// ProcessIDRule numbers the instances of a process.
type ProcessIDRule struct {
	Enable  bool   `json:"enable"`
	Prefix  string `json:"prefix"`
	Infix   string `json:"infix"`
	Postfix string `json:"postfix"`
	Length  int    `json:"length"`
}

// TitleSetting names instances; {variable} stands for a value of the form.
type TitleSetting struct {
	Enable bool   `json:"enable"`
	Title  string `json:"title"`
}

// SummarySetting lists the form fields that stand for an instance in lists.
type SummarySetting struct {
	Enable  bool     `json:"enable"`
	Summary []string `json:"summary"`
}

// HTTPHook is a call to another system before or after a process or task; without an
// address there is none.
type HTTPHook struct {
	URL      string      `json:"url"`
	Header   []HookParam `json:"header"`
	Body     []HookParam `json:"body"`
	Response []HookParam `json:"response"`
}

// HookParam is one value handed over. Type tells whether Value is a field of the form or
// the value itself; of an answer Key is the field and Value where it stands in the answer.
type HookParam struct {
	Key   string `json:"key"`
	Type  int    `json:"type,omitempty"`
	Value string `json:"value"`
}

// PrintTemplateSetting is how an instance is printed: rich text in which {field} stands for
// what the form says; see fillTemplate.
type PrintTemplateSetting struct {
	Enable   bool   `json:"enable"`
	Template string `json:"template"`
}

// The designers a model may be made with; only BPMN diagrams are run.
const (
	typeBPMN   = 10
	typeSimple = 20
)

func defaultSettings() ModelSettings {
	return ModelSettings{Type: typeBPMN, Visible: true, AllowCancelRunningProcess: true, StartUserIDs: []int64{}, StartDeptIDs: []int64{}, ManagerUserIDs: []int64{}}
}

// copied gives settings that share no memory, for JSON to be read into.
func (set ModelSettings) copied() ModelSettings {
	var out ModelSettings
	text, err := json.Marshal(set)
	if err == nil {
		err = json.Unmarshal(text, &out)
	}
	if err != nil {
		panic("workflow: settings do not survive JSON: " + err.Error())
	}
	return out
}

const (
	maxChosen   = 500
	maxSettings = 64 << 10

	sqlDeptsKnown = `SELECT id FROM system_dept WHERE tenant_id = :tenant AND deleted = false AND id IN (:ids)`
)

// check refuses settings that mean nothing; before are those that the model had, whose
// people may have left meanwhile.
func (set *ModelSettings) check(ctx context.Context, before ModelSettings) ([]errs.FieldError, error) {
	for _, list := range []*[]int64{&set.StartUserIDs, &set.StartDeptIDs, &set.ManagerUserIDs} {
		*list = slices.Compact(slices.Sorted(slices.Values(*list)))
		if *list == nil {
			*list = []int64{}
		}
	}
	var refused fieldErrors
	refused.when(set.Type == typeSimple, "type", "暂不支持 SIMPLE 设计器的模型，请使用 BPMN 设计器", "models of the simple designer are not supported; use BPMN")
	refused.when(set.Type != typeSimple && set.Type != typeBPMN, "type", "模型类型应为 10", "the type must be 10")
	refused.when(set.AutoApprovalType < 0 || set.AutoApprovalType > 2, "autoApprovalType", "自动去重应为 0、1 或 2", "the handling of repeated approvers must be 0, 1 or 2")
	rule := set.ProcessIDRule
	refused.when(rule != nil && rule.Enable && !rule.usable(), "processIdRule",
		"流程编号的序号应为 1 到 12 位；中缀为空或由 yyyy、yy、MM、dd、HH、mm、ss 和 - _ / . 组成；前缀和后缀不含空格；三者合计不超过 60 字节",
		"the number has 1 to 12 digits; the infix is empty or made of yyyy, yy, MM, dd, HH, mm, ss and - _ / .; prefix and postfix hold no spaces; the three together have at most 60 bytes")
	title := set.TitleSetting
	refused.when(title != nil && title.Enable && (strings.TrimSpace(title.Title) == "" || len([]rune(title.Title)) > 200), "titleSetting",
		"标题模板应为 1 到 200 个字", "the title template needs 1 to 200 characters")
	if set.PrintTemplateSetting != nil {
		set.PrintTemplateSetting.Template = richtext.Sanitize(set.PrintTemplateSetting.Template)
	}
	set.checkHooks(&refused)
	refused.when(set.SummarySetting != nil && len(set.SummarySetting.Summary) > 20, "summarySetting", "摘要字段最多 20 个", "at most 20 summary fields")
	text, err := json.Marshal(set)
	if err != nil {
		return nil, err
	}
	refused.when(len(text) > maxSettings, "printTemplateSetting", fmt.Sprintf("模型设置过大，上限 %d KB", maxSettings>>10), fmt.Sprintf("the settings are larger than %d KB", maxSettings>>10))
	err = set.checkPeople(ctx, before, &refused)
	return refused, err
}

func (set *ModelSettings) checkPeople(ctx context.Context, before ModelSettings, refused *fieldErrors) error {
	for _, list := range []struct {
		name     string
		now, was []int64
		depts    bool
	}{{"startUserIds", set.StartUserIDs, before.StartUserIDs, false}, {"startDeptIds", set.StartDeptIDs, before.StartDeptIDs, true}, {"managerUserIds", set.ManagerUserIDs, before.ManagerUserIDs, false}} {
		added := slices.DeleteFunc(slices.Clone(list.now), func(id int64) bool { return slices.Contains(list.was, id) })
		if len(added) == 0 {
			continue
		}
		if len(list.now) > maxChosen {
			refused.when(true, list.name, fmt.Sprintf("最多选择 %d 个", maxChosen), fmt.Sprintf("choose at most %d", maxChosen))
			continue
		}
		var known []int64
		var err error
		if list.depts {
			known, err = store.Select[int64](ctx, sqlDeptsKnown, store.Args{"ids": added})
		} else {
			known, err = store.Select[int64](ctx, sqlUsersKnown, store.Args{"ids": added})
		}
		if err != nil {
			return err
		}
		missing := slices.DeleteFunc(added, func(id int64) bool { return slices.Contains(known, id) })
		text := strings.Trim(fmt.Sprint(missing), "[]")
		refused.when(len(missing) > 0, list.name, "所选的人员或部门不存在："+text, "no such users or departments: "+text)
	}
	return nil
}

// mayStart reports whether somebody may start a process with the settings: the named
// users, else members of the named departments, else everybody.
func (set ModelSettings) mayStart(user, dept int64) bool {
	switch {
	case len(set.StartUserIDs) > 0:
		return slices.Contains(set.StartUserIDs, user)
	case len(set.StartDeptIDs) > 0:
		return slices.Contains(set.StartDeptIDs, dept)
	}
	return true
}

// fieldErrors collects refused inputs in both languages.
type fieldErrors []errs.FieldError

func (f *fieldErrors) when(wrong bool, name, zh, en string) {
	if wrong {
		*f = append(*f, errs.FieldError{Name: name, Msg: zh, En: en})
	}
}
