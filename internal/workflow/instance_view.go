package workflow

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"viva/internal/kernel/store"
	"viva/internal/workflow/bpmn"
	"viva/internal/workflow/engine"
	"viva/internal/workflow/runtime"
)

// InstanceDetail is an instance with its form and diagram.
type InstanceDetail struct {
	InstanceView
	FormVariables     map[string]any     `json:"formVariables"`
	BusinessKey       string             `json:"businessKey"`
	ProcessDefinition InstanceDefinition `json:"processDefinition"`
}

// InstanceDefinition is the version that an instance runs on.
type InstanceDefinition struct {
	ID                   string   `json:"id"`
	Key                  string   `json:"key"`
	Name                 string   `json:"name"`
	Icon                 string   `json:"icon"`
	Version              int      `json:"version"`
	FormType             *int     `json:"formType"`
	FormID               *int64   `json:"formId"`
	FormConf             string   `json:"formConf"`
	FormFields           []string `json:"formFields"`
	FormCustomCreatePath string   `json:"formCustomCreatePath"`
	FormCustomViewPath   string   `json:"formCustomViewPath"`
	BpmnXML              string   `json:"bpmnXml"`
}

type idOfInstanceIn struct {
	ID string `query:"id" required:"true" minLength:"1" maxLength:"64" doc:"流程实例|Instance"`
}

func (s *Service) getInstance(ctx context.Context, in idOfInstanceIn) (InstanceDetail, error) {
	row, err := s.readable(ctx, in.ID)
	if err != nil {
		return InstanceDetail{}, err
	}
	return s.detail(ctx, row)
}

func (s *Service) detail(ctx context.Context, row instanceRow) (InstanceDetail, error) {
	views, err := s.instanceViews(ctx, []instanceRow{row})
	if err != nil {
		return InstanceDetail{}, err
	}
	may, err := s.fieldsFor(ctx, row)
	if err != nil {
		return InstanceDetail{}, err
	}
	p, err := s.planOf(ctx, row.DefinitionID)
	if err != nil {
		return InstanceDetail{}, err
	}
	vars := formVariables(documentVars(row.Vars))
	maps.DeleteFunc(vars, func(name string, _ any) bool { return may[name] == fieldHidden })
	views[0].Summary = p.summary(vars, may)
	d, err := s.instanceDefinition(ctx, row.DefinitionID)
	return InstanceDetail{InstanceView: views[0], FormVariables: vars, BusinessKey: row.BusinessID, ProcessDefinition: d}, err
}

func (s *Service) instanceDefinition(ctx context.Context, id string) (InstanceDefinition, error) {
	p, err := s.planOf(ctx, id)
	if err != nil {
		return InstanceDefinition{}, err
	}
	xml, err := s.engine.XML(ctx, id)
	d := p.definition
	fields := d.FormFields.V
	if fields == nil {
		fields = []string{}
	}
	return InstanceDefinition{ID: id, Key: d.Key, Name: d.Name, Icon: d.Icon, Version: d.Number, FormType: given0(d.FormType), FormID: given0(d.FormID), FormConf: d.FormConf,
		FormFields: fields, FormCustomCreatePath: d.FormCustomCreatePath, FormCustomViewPath: d.FormCustomViewPath, BpmnXML: xml}, err
}

const (
	sqlMyTasks  = `SELECT t.element, t.ended_at FROM wf_task t WHERE t.tenant_id = :tenant AND t.instance_id = :instance AND (t.assignee_id = :me OR t.owner_id = :me) ORDER BY t.id DESC`
	sqlMyCopies = `SELECT k.activity_id AS element, k.create_time AS ended_at FROM bpm_process_instance_copy k
 WHERE k.tenant_id = :tenant AND k.process_instance_id = :instance AND k.user_id = :me ORDER BY k.id DESC`
)

// fieldsFor gives what the caller may do with the fields of the form: by the settings of
// his newest task, an open one first, else of the task whose decider copied the instance
// to him. The starter wrote the form and administrators see all of it: for them nothing
// is set.
func (s *Service) fieldsFor(ctx context.Context, row instanceRow) (map[string]int, error) {
	type mine struct {
		Element string
		EndedAt int64
	}
	args := store.Args{"instance": row.ID, "me": me(ctx)}
	rows, err := store.Select[mine](ctx, sqlMyTasks, args)
	if err == nil && len(rows) == 0 {
		rows, err = store.Select[mine](ctx, sqlMyCopies, args)
	}
	if err != nil || len(rows) == 0 || row.StarterID == me(ctx) && !slices.ContainsFunc(rows, func(r mine) bool { return r.EndedAt == 0 }) {
		return map[string]int{}, err
	}
	at := max(0, slices.IndexFunc(rows, func(r mine) bool { return r.EndedAt == 0 }))
	may, err := s.fieldsAt(ctx, row.DefinitionID, rows[at].Element)
	if row.StarterID == me(ctx) {
		maps.DeleteFunc(may, func(_ string, m int) bool { return m == fieldHidden })
	}
	return may, err
}

// fieldsAt are the settings of a user task for the fields of the form.
func (s *Service) fieldsAt(ctx context.Context, definition, element string) (map[string]int, error) {
	if definition == "" {
		return map[string]int{}, nil
	}
	process, err := s.engine.Process(ctx, definition)
	if err != nil {
		return nil, err
	}
	n, _ := userTaskAt(process, element)
	return settingOf(n).fields, nil
}

// ActivityView is one visit of an element, or one flow taken.
type ActivityView struct {
	Key       string `json:"key"`
	Type      string `json:"type"`
	StartTime int64  `json:"startTime"`
	EndTime   *int64 `json:"endTime"`
	TaskID    string `json:"taskId"`
}

// multiBody is the visit of a multi-instance activity as a whole; its items have their own.
const multiBody = "multiInstanceBody"

func (s *Service) listActivities(ctx context.Context, in instanceIDIn) ([]ActivityView, error) {
	row, err := s.readable(ctx, in.ProcessInstanceID)
	if err != nil {
		return nil, err
	}
	list, err := s.engine.Activities(ctx, row.ID)
	out := []ActivityView{}
	for _, a := range list {
		if a.Type == multiBody {
			continue
		}
		v := ActivityView{Key: a.Element, Type: a.Type, StartTime: a.StartedAt, EndTime: given0(a.EndedAt)}
		if a.Task != 0 {
			v.TaskID = runtime.ExecutionID(row.ID, a.Task)
		}
		out = append(out, v)
	}
	return out, err
}

// InstanceDiagram is the diagram of an instance with what to highlight.
type InstanceDiagram struct {
	ProcessInstance                 InstanceDetail  `json:"processInstance"`
	Tasks                           []*InstanceTask `json:"tasks"`
	BpmnXML                         string          `json:"bpmnXml"`
	UnfinishedTaskActivityIDs       []string        `json:"unfinishedTaskActivityIds"`
	FinishedTaskActivityIDs         []string        `json:"finishedTaskActivityIds"`
	FinishedSequenceFlowActivityIDs []string        `json:"finishedSequenceFlowActivityIds"`
	RejectedTaskActivityIDs         []string        `json:"rejectedTaskActivityIds"`
}

// modelView tells the viewer what was visited: an element counts as unfinished while any
// visit of it is open, and as rejected when its task ended the instance.
func (s *Service) modelView(ctx context.Context, in idOfInstanceIn) (InstanceDiagram, error) {
	row, err := s.readable(ctx, in.ID)
	if err != nil {
		return InstanceDiagram{}, err
	}
	v := InstanceDiagram{UnfinishedTaskActivityIDs: []string{}, FinishedTaskActivityIDs: []string{}, FinishedSequenceFlowActivityIDs: []string{}, RejectedTaskActivityIDs: []string{}}
	if v.ProcessInstance, err = s.detail(ctx, row); err != nil {
		return v, err
	}
	v.BpmnXML = v.ProcessInstance.ProcessDefinition.BpmnXML
	if v.Tasks, err = s.tasksOf(ctx, row); err != nil {
		return v, err
	}
	list, err := s.engine.Activities(ctx, row.ID)
	if err != nil {
		return v, err
	}
	for _, a := range list {
		switch {
		case a.Type == "sequenceFlow":
			v.FinishedSequenceFlowActivityIDs = add(v.FinishedSequenceFlowActivityIDs, a.Element)
		case a.EndedAt == 0:
			v.UnfinishedTaskActivityIDs = add(v.UnfinishedTaskActivityIDs, a.Element)
		default:
			v.FinishedTaskActivityIDs = add(v.FinishedTaskActivityIDs, a.Element)
		}
	}
	if row.Result == int(engine.Rejected) {
		for _, k := range v.Tasks { // newest first
			if k.Status == int(engine.TaskRejected) {
				v.RejectedTaskActivityIDs = add(v.RejectedTaskActivityIDs, k.TaskDefinitionKey)
				break
			}
		}
	}
	v.FinishedTaskActivityIDs = slices.DeleteFunc(v.FinishedTaskActivityIDs, func(id string) bool {
		return slices.Contains(v.UnfinishedTaskActivityIDs, id) || slices.Contains(v.RejectedTaskActivityIDs, id)
	})
	return v, nil
}

func add(list []string, one string) []string {
	if slices.Contains(list, one) {
		return list
	}
	return append(list, one)
}

// PrintData is an instance for a printed page.
type PrintData struct {
	ProcessInstance     InstanceDetail `json:"processInstance"`
	PrintTemplateEnable bool           `json:"printTemplateEnable"`
	PrintTemplateHTML   string         `json:"printTemplateHtml"`
	// TemplateHasTasks tells that the template shows the decisions itself.
	TemplateHasTasks bool        `json:"templateHasTasks"`
	Tasks            []PrintTask `json:"tasks"`
}

// PrintTask is one decision on paper.
type PrintTask struct {
	ID          string `json:"id"`
	Name        string `json:"name"`
	SignPicURL  string `json:"signPicUrl"`
	Description string `json:"description"`
}

type printIn struct {
	ProcessInstanceID string `query:"processInstanceId" required:"true" minLength:"1" maxLength:"64" doc:"流程实例|Instance"`
}

// printData lists the decisions from the first to the last.
func (s *Service) printData(ctx context.Context, in printIn) (PrintData, error) {
	row, err := s.readable(ctx, in.ProcessInstanceID)
	if err != nil {
		return PrintData{}, err
	}
	out := PrintData{Tasks: []PrintTask{}}
	if out.ProcessInstance, err = s.detail(ctx, row); err != nil {
		return out, err
	}
	p, err := s.planOf(ctx, row.DefinitionID)
	if err != nil {
		return out, err
	}
	tasks, err := s.tasksOf(ctx, row)
	for _, k := range slices.Backward(tasks) {
		if k.EndTime == nil || k.Status == int(engine.TaskCancelled) {
			continue
		}
		who := ""
		if k.AssigneeUser != nil {
			who = k.AssigneeUser.Nickname
		}
		out.Tasks = append(out.Tasks, PrintTask{ID: k.ID, Name: k.Name, SignPicURL: k.SignPicURL, Description: strings.TrimSpace(fmt.Sprintf("%s %s %s", who, taskStatusText[k.Status], k.Reason))})
	}
	if t := p.settings().PrintTemplateSetting; t != nil && t.Enable {
		out.TemplateHasTasks = strings.Contains(t.Template, "{"+placeTasks+"}")
		out.PrintTemplateEnable, out.PrintTemplateHTML = true, fillTemplate(t.Template, out.ProcessInstance, out.Tasks)
	}
	return out, err
}

// taskStatusText are the words of dictionary bpm_task_status on paper, which is Chinese.
var taskStatusText = map[int]string{int(engine.TaskApproved): "审批通过", int(engine.TaskRejected): "审批不通过", int(engine.TaskReturned): "已退回", int(engine.TaskSkipped): "已跳过"}

// userTaskAt gives a user task of a diagram.
func userTaskAt(p *bpmn.Process, id string) (*bpmn.Node, bool) {
	at, ok := p.Node(id)
	if !ok || p.Nodes[at].Kind != bpmn.KindUserTask {
		return nil, false
	}
	return &p.Nodes[at], true
}
