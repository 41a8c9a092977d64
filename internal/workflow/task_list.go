package workflow

import (
	"context"
	"maps"
	"slices"

	"viva/internal/identity"
	"viva/internal/kernel/field"
	"viva/internal/kernel/store"
	"viva/internal/workflow/engine"
	"viva/internal/workflow/runtime"
)

// TaskView is a task on the wire. Status is that of newer clients, result what older ones
// call it; both name the same task states but for waiting and delegated ones.
// MayWithdraw tells whether the decision can be taken back unless somebody decided what
// follows: only withdrawing itself finds that out.
type TaskView struct {
	ID                string              `json:"id"`
	Name              string              `json:"name"`
	DefinitionKey     string              `json:"definitionKey"`
	TaskDefinitionKey string              `json:"taskDefinitionKey"`
	CreateTime        int64               `json:"createTime"`
	ClaimTime         *int64              `json:"claimTime"`
	EndTime           *int64              `json:"endTime"`
	DurationInMillis  *int64              `json:"durationInMillis"`
	SuspensionState   int                 `json:"suspensionState"`
	Status            int                 `json:"status"`
	Result            int                 `json:"result"`
	MayWithdraw       bool                `json:"mayWithdraw"`
	Reason            string              `json:"reason"`
	SignPicURL        string              `json:"signPicUrl"`
	Attachments       []string            `json:"attachments"`
	AssigneeUser      *identity.UserBrief `json:"assigneeUser"`
	OwnerUser         *identity.UserBrief `json:"ownerUser"`
	ParentTaskID      string              `json:"parentTaskId"`
	ProcessInstanceID string              `json:"processInstanceId"`
	ProcessInstance   TaskInstance        `json:"processInstance"`
}

// TaskInstance is the instance of a task in lists.
type TaskInstance struct {
	ID                  string              `json:"id"`
	Name                string              `json:"name"`
	Number              string              `json:"number"`
	StartUserID         int64               `json:"startUserId"`
	StartUserNickname   string              `json:"startUserNickname"`
	StartUser           *identity.UserBrief `json:"startUser"`
	CreateTime          int64               `json:"createTime"`
	ProcessDefinitionID string              `json:"processDefinitionId"`
	Summary             []SummaryItem       `json:"summary"`
}

// taskLine is a task with its instance as lists read it.
type taskLine struct {
	InstanceID     string
	ID             int64
	ParentID       int64
	Element        string
	Name           string
	AssigneeID     int64
	OwnerID        int64
	Delegation     string
	SignType       string
	Status         int
	Reason         string
	CreatedAt      int64
	ClaimedAt      int64
	EndedAt        int64
	InstanceName   string
	StarterID      int64
	StartedAt      int64
	DefinitionID   string
	InstanceStatus int
	Vars           engine.Document
}

const (
	ownColumns = `t.instance_id, t.id, t.parent_id, t.element, t.name, t.assignee_id, t.owner_id, t.delegation, t.sign_type, t.status, t.reason, t.created_at, t.claimed_at,
 t.ended_at`
	ofInstance  = `i.name AS instance_name, i.starter_id, i.started_at, i.definition_id, i.status AS instance_status, i.vars`
	taskColumns = ownColumns + `, ` + ofInstance
	// CROSS JOIN keeps SQLite from reading all instances first, which it does as soon as its
	// statistics say that one person has most of the tasks.
	sqlTasksFrom = `FROM wf_task t CROSS JOIN wf_instance i WHERE i.tenant_id = t.tenant_id AND i.id = t.instance_id AND t.tenant_id = :tenant`
	sqlTodo      = sqlTasksFrom + ` AND t.assignee_id = :me AND t.ended_at = 0 AND t.status = 1 AND i.status = 1`
	sqlDone      = sqlTasksFrom + ` AND t.assignee_id = :me AND t.ended_at > 0`
	sqlClaimable = `FROM wf_task_candidate c JOIN wf_task t ON t.tenant_id = c.tenant_id AND t.instance_id = c.instance_id AND t.id = c.task_id AND t.ended_at = 0 AND t.assignee_id = 0 AND t.status = 1
 JOIN wf_instance i ON i.tenant_id = t.tenant_id AND i.id = t.instance_id WHERE c.tenant_id = :tenant AND c.kind = 'user' AND c.ref_id = :me AND i.status = 1`
	newestTask  = `t.created_at DESC, t.instance_id DESC, t.id DESC`
	newestEnded = `t.ended_at DESC, t.instance_id DESC, t.id DESC`

	sqlTasksOfInstance = `SELECT ` + taskColumns + ` ` + sqlTasksFrom + ` AND t.instance_id = :instance ORDER BY t.id DESC`
	clauseCategory     = ` AND EXISTS (SELECT 1 FROM bpm_process_definition_info d WHERE d.tenant_id = :tenant AND d.deleted = false AND d.definition_id = i.definition_id AND d.category = :category)`
)

// taskPageIn holds the filters of both generations of clients.
type taskPageIn struct {
	store.Paging
	Name                 string   `query:"name" maxLength:"100" doc:"任务名称|Name"`
	Category             string   `query:"category" maxLength:"64" doc:"流程分类|Category"`
	ProcessDefinitionKey string   `query:"processDefinitionKey" maxLength:"100" doc:"流程标识|Process"`
	Status               int      `query:"status" minimum:"0" maximum:"7" doc:"状态|Status"`
	CreateTime           []string `query:"createTime,explode" maxItems:"2" doc:"创建时间|Created"`
	FormFieldsParams     string   `query:"formFieldsParams" maxLength:"4000" doc:"表单筛选|Fields of the form"`
	BeginCreateTime      string   `query:"beginCreateTime" maxLength:"30" doc:"创建时间起|Created from"`
	EndCreateTime        string   `query:"endCreateTime" maxLength:"30" doc:"创建时间止|Created to"`
}

func (in taskPageIn) apply(ctx context.Context, q *store.Query) (*store.Query, error) {
	times := in.CreateTime
	if len(times) == 0 && in.BeginCreateTime != "" && in.EndCreateTime != "" {
		times = []string{in.BeginCreateTime, in.EndCreateTime}
	}
	span, err := field.ParseSpan(ctx, "createTime", times)
	if err == nil {
		err = formFilter(q, in.FormFieldsParams)
	}
	return q.If(in.Name != "", ` AND t.name LIKE :name ESCAPE '\'`, "name", store.Contains(in.Name)).
		If(in.ProcessDefinitionKey != "", " AND i.process_key = :key", "key", in.ProcessDefinitionKey).
		If(in.Category != "", clauseCategory, "category", in.Category).
		If(in.Status != 0, " AND t.status = :status", "status", in.Status).
		If(span.From != nil, " AND t.created_at >= :from", "from", span.From).
		If(span.To != nil, " AND t.created_at <= :to", "to", span.To), err
}

func (s *Service) todoPage(ctx context.Context, in taskPageIn) (store.Page[TaskView], error) {
	in.Status = 0 // what is to do is open, whatever the client repeats of another page
	return s.taskPage(ctx, store.Build(sqlTodo, store.Args{"me": me(ctx)}), false, in)
}

func (s *Service) donePage(ctx context.Context, in taskPageIn) (store.Page[TaskView], error) {
	return s.taskPage(ctx, store.Build(sqlDone, store.Args{"me": me(ctx)}), true, in)
}

func (s *Service) claimablePage(ctx context.Context, in taskPageIn) (store.Page[TaskView], error) {
	in.Status = 0
	return s.taskPage(ctx, store.Build(sqlClaimable, store.Args{"me": me(ctx)}), false, in)
}

const (
	sqlTasksAlone      = `FROM wf_task t WHERE t.tenant_id = :tenant`
	sqlInstancesOfPage = `SELECT i.id AS instance_id, ` + ofInstance + ` FROM wf_instance i WHERE i.tenant_id = :tenant AND i.id IN (:ids)`
)

// managerTaskPage reads the tasks first and their instances afterwards, unless a filter
// asks about those. PostgreSQL takes what row-level security leaves for a small part of
// both tables, and would join and sort all tasks of the tenant for one page.
func (s *Service) managerTaskPage(ctx context.Context, in taskPageIn) (store.Page[TaskView], error) {
	if in.ProcessDefinitionKey != "" || in.Category != "" || in.FormFieldsParams != "" {
		return s.taskPage(ctx, store.Build(sqlTasksFrom, nil), false, in)
	}
	q, err := in.apply(ctx, store.Build(sqlTasksAlone, nil))
	if err != nil {
		return store.Page[TaskView]{}, err
	}
	page, err := store.SelectPage[taskLine](ctx, ownColumns, q, newestTask, in.Paging)
	if err != nil || len(page.List) == 0 {
		return store.Page[TaskView]{List: []TaskView{}, Total: page.Total, Capped: page.Capped}, err
	}
	ids := make([]string, len(page.List))
	for i, r := range page.List {
		ids[i] = r.InstanceID
	}
	instances := map[string]taskLine{}
	err = store.Each(ctx, sqlInstancesOfPage, store.Args{"ids": ids}, func(i taskLine) error { instances[i.InstanceID] = i; return nil })
	if err != nil {
		return store.Page[TaskView]{}, err
	}
	for at := range page.List {
		r, i := &page.List[at], instances[page.List[at].InstanceID]
		r.InstanceName, r.StarterID, r.StartedAt, r.DefinitionID, r.InstanceStatus, r.Vars = i.InstanceName, i.StarterID, i.StartedAt, i.DefinitionID, i.InstanceStatus, i.Vars
	}
	list, err := s.taskViews(ctx, page.List)
	return store.Page[TaskView]{List: list, Total: page.Total, Capped: page.Capped}, err
}

func (s *Service) taskPage(ctx context.Context, q *store.Query, ended bool, in taskPageIn) (store.Page[TaskView], error) {
	q, err := in.apply(ctx, q)
	if err != nil {
		return store.Page[TaskView]{}, err
	}
	var page store.Page[taskLine]
	if ended {
		page, err = store.SelectPage[taskLine](ctx, taskColumns, q, newestEnded, in.Paging)
	} else {
		page, err = store.SelectPage[taskLine](ctx, taskColumns, q, newestTask, in.Paging)
	}
	if err != nil {
		return store.Page[TaskView]{}, err
	}
	list, err := s.taskViews(ctx, page.List)
	return store.Page[TaskView]{List: list, Total: page.Total, Capped: page.Capped}, err
}

// taskViews shows tasks with their people.
func (s *Service) taskViews(ctx context.Context, rows []taskLine) ([]TaskView, error) {
	var ids []int64
	instances := map[string]bool{}
	for _, r := range rows {
		ids = append(ids, r.AssigneeID, r.OwnerID, r.StarterID)
		instances[r.InstanceID] = true
	}
	known, err := usersOf(ctx, ids)
	if err != nil {
		return nil, err
	}
	numbers, err := numbersOf(ctx, slices.Sorted(maps.Keys(instances)))
	if err != nil {
		return nil, err
	}
	out := make([]TaskView, len(rows))
	for i, r := range rows {
		p, err := s.planOf(ctx, r.DefinitionID)
		if err != nil {
			return nil, err
		}
		out[i] = r.view(known)
		process, err := s.engine.Process(ctx, r.DefinitionID)
		if err != nil {
			return nil, err
		}
		n, _ := userTaskAt(process, r.Element)
		out[i].MayWithdraw = r.decided() && p.settings().AllowWithdrawTask && n != nil
		out[i].ProcessInstance.Number = numbers[r.InstanceID]
		out[i].ProcessInstance.Summary = p.summary(documentVars(r.Vars), settingOf(n).fields)
	}
	return out, nil
}

func (r taskLine) view(known people) TaskView {
	v := TaskView{ID: runtime.ExecutionID(r.InstanceID, r.ID), Name: r.Name, DefinitionKey: r.Element, TaskDefinitionKey: r.Element, CreateTime: r.CreatedAt,
		ClaimTime: given0(r.ClaimedAt), EndTime: given0(r.EndedAt), SuspensionState: Active, Status: r.Status, Result: r.result(), Reason: r.Reason, Attachments: []string{},
		AssigneeUser: known.of(r.AssigneeID), OwnerUser: known.of(r.OwnerID), ProcessInstanceID: r.InstanceID,
		ProcessInstance: TaskInstance{ID: r.InstanceID, Name: r.InstanceName, StartUserID: r.StarterID, StartUserNickname: known[r.StarterID].Nickname, StartUser: known.of(r.StarterID),
			CreateTime: r.StartedAt, ProcessDefinitionID: r.DefinitionID}}
	if r.EndedAt > 0 {
		took := r.EndedAt - r.CreatedAt
		v.DurationInMillis = &took
	}
	if r.ParentID != 0 {
		v.ParentTaskID = runtime.ExecutionID(r.InstanceID, r.ParentID)
	}
	if r.InstanceStatus == int(engine.Suspended) {
		v.SuspensionState = Suspended
	}
	return v
}

// decided reports whether the task was approved, by itself, in an instance that runs.
func (r taskLine) decided() bool {
	return r.Status == int(engine.TaskApproved) && r.EndedAt > 0 && r.ParentID == 0 && r.InstanceStatus == int(engine.Running)
}

// The states that older clients know besides those of engine.TaskStatus.
const (
	resultDelegated   = 6
	resultWaitsBefore = 8
	resultWaitsAfter  = 9
)

func (r taskLine) result() int {
	switch {
	case r.Status == int(engine.TaskWaiting) && r.ParentID != 0:
		return resultWaitsAfter
	case r.Status == int(engine.TaskWaiting):
		return resultWaitsBefore
	case r.Status == int(engine.TaskOpen) && r.Delegation == delegationPending:
		return resultDelegated
	}
	return r.Status
}
