package workflow

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strconv"

	"viva/internal/identity"
	"viva/internal/kernel/actor"
	"viva/internal/kernel/errs"
	"viva/internal/workflow/bpmn"
	"viva/internal/workflow/engine"
	"viva/internal/workflow/runtime"
)

// The kinds of nodes that newer clients draw the path of an instance with.
const (
	nodeStart = 0
	nodeEnd   = 1
	nodeTask  = 11

	notStarted = -1
)

// ApprovalNode is one step of an instance: done, running or predicted.
type ApprovalNode struct {
	ID                string               `json:"id"`
	Name              string               `json:"name"`
	NodeType          int                  `json:"nodeType"`
	Status            int                  `json:"status"`
	StartTime         *int64               `json:"startTime"`
	EndTime           *int64               `json:"endTime"`
	CandidateStrategy *int                 `json:"candidateStrategy"`
	CandidateUserIDs  []int64              `json:"candidateUserIds"`
	CandidateUsers    []identity.UserBrief `json:"candidateUsers"`
	Tasks             []*InstanceTask      `json:"tasks"`
	Predicted         bool                 `json:"predicted"`
}

// ApprovalDetail is an instance, or one that could be started, with its path.
type ApprovalDetail struct {
	Status               int                `json:"status"`
	ActivityNodes        []ApprovalNode     `json:"activityNodes"`
	FormFieldsPermission map[string]int     `json:"formFieldsPermission"`
	TodoTask             *InstanceTask      `json:"todoTask"`
	ProcessDefinition    InstanceDefinition `json:"processDefinition"`
	ProcessInstance      *InstanceDetail    `json:"processInstance"`
}

type approvalDetailIn struct {
	ProcessDefinitionID string `query:"processDefinitionId" maxLength:"200" doc:"流程定义|Definition"`
	ProcessInstanceID   string `query:"processInstanceId" maxLength:"64" doc:"流程实例|Instance"`
	ProcessVariablesStr string `query:"processVariablesStr" maxLength:"60000" doc:"表单内容|Form values"`
	ActivityID          string `query:"activityId" maxLength:"255" doc:"节点|Step"`
	TaskID              string `query:"taskId" maxLength:"100" doc:"任务|Task"`
}

// variables reads the form as the client has it now; it only serves the prediction.
func (in approvalDetailIn) variables() (map[string]any, error) {
	vars := map[string]any{}
	if in.ProcessVariablesStr == "" {
		return vars, nil
	}
	d := engine.Document(in.ProcessVariablesStr)
	if !json.Valid([]byte(d)) {
		return nil, errs.Field("processVariablesStr", "应为 JSON 对象", "must be a JSON object")
	}
	read, err := d.Fields()
	if err != nil {
		return nil, errs.Field("processVariablesStr", "应为 JSON 对象", "must be a JSON object")
	}
	return formVariables(read), nil
}

func (s *Service) approvalDetail(ctx context.Context, in approvalDetailIn) (ApprovalDetail, error) {
	vars, err := in.variables()
	if err != nil {
		return ApprovalDetail{}, err
	}
	if in.ProcessInstanceID == "" && in.TaskID != "" {
		in.ProcessInstanceID, _, _ = runtime.SplitExecutionID(in.TaskID)
	}
	if in.ProcessInstanceID != "" {
		return s.runningDetail(ctx, in, vars)
	}
	return s.startDetail(ctx, in, vars)
}

// startDetail predicts the path of an instance that the caller would start.
func (s *Service) startDetail(ctx context.Context, in approvalDetailIn, vars map[string]any) (ApprovalDetail, error) {
	out := ApprovalDetail{Status: notStarted, ActivityNodes: []ApprovalNode{}, FormFieldsPermission: map[string]int{}}
	d, err := definitionByID(ctx, in.ProcessDefinitionID)
	if err != nil {
		return out, err
	}
	who := actor.From(ctx)
	if !d.startableBy(who) {
		return out, errStartNotAllowed.With(d.Name)
	}
	process, err := s.engine.Process(ctx, d.DefinitionID)
	if err != nil {
		return out, err
	}
	if out.ProcessDefinition, err = s.instanceDefinition(ctx, d.DefinitionID); err != nil {
		return out, err
	}
	at := engine.Instance{DefinitionID: d.DefinitionID, StarterID: who.UserID}
	for _, start := range process.Starts {
		out.ActivityNodes = append(out.ActivityNodes, ApprovalNode{ID: process.Nodes[start].ID, Name: process.Nodes[start].Name, NodeType: nodeStart, Status: notStarted,
			Predicted: true, CandidateUserIDs: []int64{}, CandidateUsers: []identity.UserBrief{}, Tasks: []*InstanceTask{}})
		out.FormFieldsPermission = settingOf(&process.Nodes[start]).fields
	}
	nodes, err := s.predicted(ctx, process, s.pathFrom(process, process.Starts, vars, at), vars, at)
	out.ActivityNodes = append(out.ActivityNodes, nodes...)
	return out, err
}

// runningDetail shows what happened, what is open, and what should follow.
func (s *Service) runningDetail(ctx context.Context, in approvalDetailIn, vars map[string]any) (ApprovalDetail, error) {
	out := ApprovalDetail{ActivityNodes: []ApprovalNode{}, FormFieldsPermission: map[string]int{}}
	row, err := s.readable(ctx, in.ProcessInstanceID)
	if err != nil {
		return out, err
	}
	detail, err := s.detail(ctx, row)
	if err != nil {
		return out, err
	}
	process, err := s.engine.Process(ctx, row.DefinitionID)
	if err != nil {
		return out, err
	}
	tasks, err := s.tasksOf(ctx, row)
	if err != nil {
		return out, err
	}
	out.Status, out.ProcessInstance, out.ProcessDefinition = row.Result, &detail, detail.ProcessDefinition
	if out.FormFieldsPermission, err = s.fieldsFor(ctx, row); err != nil {
		return out, err
	}
	out.TodoTask = openTaskOf(tasks, in.TaskID, me(ctx))
	out.ActivityNodes = visited(process, row, tasks)
	if row.Status == int(engine.Ended) {
		return out, nil
	}
	all := documentVars(row.Vars)
	for name, v := range vars {
		all[name] = v
	}
	at := engine.Instance{ID: row.ID, DefinitionID: row.DefinitionID, BusinessID: row.BusinessID, StarterID: row.StarterID}
	nodes, err := s.predicted(ctx, process, s.pathAfter(process, openNodes(process, tasks), all, at), all, at)
	out.ActivityNodes = append(out.ActivityNodes, nodes...)
	return out, err
}

// openTaskOf finds the caller's open task: the named one, else his newest.
func openTaskOf(tasks []*InstanceTask, id string, user int64) *InstanceTask {
	for _, k := range tasks {
		if k.EndTime == nil && k.Status == int(engine.TaskOpen) && k.AssigneeUser != nil && k.AssigneeUser.ID == user && (id == "" || id == k.ID) {
			return k
		}
		if found := openTaskOf(k.Children, id, user); found != nil {
			return found
		}
	}
	return nil
}

func openNodes(p *bpmn.Process, tasks []*InstanceTask) []int {
	var nodes []int
	for _, k := range tasks {
		if at, ok := p.Node(k.TaskDefinitionKey); ok && k.EndTime == nil && !slices.Contains(nodes, at) {
			nodes = append(nodes, at)
		}
	}
	return nodes
}

// visited lists the steps with tasks in the order in which they were reached; a step that
// was reached again after a return stands there again.
func visited(p *bpmn.Process, row instanceRow, tasks []*InstanceTask) []ApprovalNode {
	var list []ApprovalNode
	for _, start := range p.Starts {
		started := row.StartedAt
		list = append(list, ApprovalNode{ID: p.Nodes[start].ID, Name: p.Nodes[start].Name, NodeType: nodeStart, Status: int(engine.Approved), StartTime: &started, EndTime: &started,
			CandidateUserIDs: []int64{}, CandidateUsers: []identity.UserBrief{}, Tasks: []*InstanceTask{}})
	}
	for _, k := range slices.Backward(tasks) {
		last := len(list) - 1
		if n, ok := userTaskAt(p, k.TaskDefinitionKey); last >= 0 && list[last].ID == k.TaskDefinitionKey && list[last].NodeType == nodeTask && ok && n.Loop != nil {
			list[last].join(k)
			continue
		}
		created := k.CreateTime
		list = append(list, ApprovalNode{ID: k.TaskDefinitionKey, Name: k.Name, NodeType: nodeTask, Status: k.Status, StartTime: &created, EndTime: k.EndTime,
			CandidateUserIDs: []int64{}, CandidateUsers: []identity.UserBrief{}, Tasks: []*InstanceTask{k}})
	}
	if row.EndedAt > 0 {
		ended := row.EndedAt
		list = append(list, ApprovalNode{ID: "EndEvent", Name: "结束", NodeType: nodeEnd, Status: row.Result, StartTime: &ended, EndTime: &ended,
			CandidateUserIDs: []int64{}, CandidateUsers: []identity.UserBrief{}, Tasks: []*InstanceTask{}})
	}
	return list
}

// join adds one more task of a multi-instance step: it is open while any task is, and a
// rejection is what it shows afterwards.
func (n *ApprovalNode) join(k *InstanceTask) {
	n.Tasks = append(n.Tasks, k)
	switch {
	case k.EndTime == nil || n.EndTime == nil:
		n.EndTime = nil
		if k.EndTime == nil {
			n.Status = k.Status
		}
	default:
		later := max(*n.EndTime, *k.EndTime)
		n.EndTime = &later
		if n.Status == int(engine.TaskCancelled) || k.Status == int(engine.TaskRejected) {
			n.Status = k.Status
		}
	}
}

// predicted shows the steps of a predicted path with the people who would decide them
// now. A rule that fails is shown as a step without people.
func (s *Service) predicted(ctx context.Context, p *bpmn.Process, path []int, vars map[string]any, in engine.Instance) ([]ApprovalNode, error) {
	plan, err := s.planOf(ctx, in.DefinitionID)
	if err != nil {
		return nil, err
	}
	list := []ApprovalNode{}
	for _, at := range path {
		n := &p.Nodes[at]
		if n.Kind == bpmn.KindEndEvent {
			if n.Parent == bpmn.Root {
				list = append(list, ApprovalNode{ID: n.ID, Name: cmp.Or(n.Name, "结束"), NodeType: nodeEnd, Status: notStarted, Predicted: true,
					CandidateUserIDs: []int64{}, CandidateUsers: []identity.UserBrief{}, Tasks: []*InstanceTask{}})
			}
			continue
		}
		node := ApprovalNode{ID: n.ID, Name: n.Name, NodeType: nodeTask, Status: notStarted, Predicted: true, CandidateUserIDs: []int64{}, CandidateUsers: []identity.UserBrief{}, Tasks: []*InstanceTask{}}
		q := &question{instance: in, process: p, node: n, vars: vars, plan: plan}
		ids, _, err := s.candidates(ctx, q)
		if err == nil {
			var v verdict
			if v, err = s.verdictFor(ctx, q, ids, false); err == nil {
				ids = v.ids
			}
		}
		var refusal *errs.Error
		if err != nil && !errors.As(err, &refusal) {
			return nil, err
		}
		if rule, ok := plan.rules[n.ID]; ok && len(rule.Candidates.V) > 0 {
			if code, err := strconv.Atoi(rule.Candidates.V[0].Strategy); err == nil {
				node.CandidateStrategy = &code
			}
		}
		known, err := usersOf(ctx, ids)
		if err != nil {
			return nil, err
		}
		for _, id := range ids {
			node.CandidateUserIDs = append(node.CandidateUserIDs, id)
			node.CandidateUsers = append(node.CandidateUsers, known[id])
		}
		list = append(list, node)
	}
	return list, nil
}

// nextNodes predicts what follows the caller's task, or the start, directly.
func (s *Service) nextNodes(ctx context.Context, in approvalDetailIn) ([]ApprovalNode, error) {
	vars, err := in.variables()
	if err != nil {
		return nil, err
	}
	_, task, err := s.taskOnRecord(ctx, in.TaskID)
	if err != nil {
		return nil, err
	}
	process, err := s.engine.Process(ctx, task.DefinitionID)
	if err != nil {
		return nil, err
	}
	node, ok := process.Node(task.Element)
	if !ok {
		return []ApprovalNode{}, nil
	}
	all := documentVars(task.Vars)
	for name, v := range settingOf(&process.Nodes[node]).writable(vars) {
		all[name] = v
	}
	at := engine.Instance{ID: task.InstanceID, DefinitionID: task.DefinitionID, StarterID: task.StarterID}
	return s.predicted(ctx, process, s.nextTasks(process, node, all, at), all, at)
}
