package workflow

import (
	"context"
	"slices"

	"viva/internal/identity"
	"viva/internal/kernel/actor"
	"viva/internal/kernel/field"
	"viva/internal/kernel/store"
	"viva/internal/kernel/web"
	"viva/internal/workflow/engine"
	"viva/internal/workflow/runtime"
)

// instanceRow is an instance as this module reads it.
type instanceRow struct {
	ID               string
	DefinitionID     string
	ProcessKey       string
	ParentInstanceID string
	BusinessType     string
	BusinessID       string
	Name             string
	StarterID        int64
	Status           int
	Result           int
	StartedAt        int64
	EndedAt          int64
	Reason           string
	Vars             engine.Document
}

const (
	instanceColumns = `i.id, i.definition_id, i.process_key, i.parent_instance_id, i.business_type, i.business_id, i.name, i.starter_id, i.status, i.result,
 i.started_at, i.ended_at, i.reason, i.vars`
	sqlInstancesFrom = `FROM wf_instance i WHERE i.tenant_id = :tenant AND i.parent_instance_id = ''`
	sqlInstanceByID  = `SELECT ` + instanceColumns + ` FROM wf_instance i WHERE i.tenant_id = :tenant AND i.id = :id`
	newestInstance   = `i.id DESC`

	// Who is concerned with an instance: an answer of at least one row.
	sqlConcerned = `SELECT 1 FROM wf_task t WHERE t.tenant_id = :tenant AND t.instance_id = :id AND (t.assignee_id = :me OR t.owner_id = :me)
 UNION ALL SELECT 1 FROM wf_task_candidate c WHERE c.tenant_id = :tenant AND c.instance_id = :id AND c.kind = 'user' AND c.ref_id = :me
 UNION ALL SELECT 1 FROM bpm_process_instance_copy k WHERE k.tenant_id = :tenant AND k.process_instance_id = :id AND k.user_id = :me LIMIT 1`
	sqlOpenTasksOf = `SELECT t.instance_id, t.id, t.name, t.assignee_id FROM wf_task t WHERE t.tenant_id = :tenant AND t.instance_id IN (:ids) AND t.ended_at = 0 ORDER BY t.instance_id, t.id`
)

const (
	permInstances = "bpm:process-instance:manager-query"
	permTasks     = "bpm:task:manager-query"
)

// readable reads an instance for the caller: its starter, whoever has or had a task in it
// or a copy of it, the managers of its model, and administrators. For others it does not
// exist.
func (s *Service) readable(ctx context.Context, id string) (instanceRow, error) {
	row, ok, err := store.Get[instanceRow](ctx, sqlInstanceByID, store.Args{"id": id})
	if err != nil || !ok {
		return row, orElse(err, errInstanceMissing.With())
	}
	who := actor.From(ctx)
	if row.StarterID == who.UserID || who.Can(permInstances) || who.Can(permTasks) {
		return row, nil
	}
	_, ok, err = store.Get[int64](ctx, sqlConcerned, store.Args{"id": id, "me": me(ctx)})
	if err != nil || ok {
		return row, err
	}
	p, err := s.planOf(ctx, row.DefinitionID)
	if err != nil {
		return row, err
	}
	if slices.Contains(p.settings().ManagerUserIDs, who.UserID) {
		return row, nil
	}
	return row, errInstanceMissing.With()
}

// InstanceView is an instance in lists. Status and result carry the same value, the
// result of the instance, 1 while it runs: older clients read the one, newer the other.
// MayCancel tells whether the starter can take it back, number is empty when the model
// has no rule for numbers.
type InstanceView struct {
	ID                   string              `json:"id"`
	Name                 string              `json:"name"`
	Number               string              `json:"number"`
	ProcessDefinitionID  string              `json:"processDefinitionId"`
	ProcessDefinitionKey string              `json:"processDefinitionKey"`
	Category             string              `json:"category"`
	CategoryName         string              `json:"categoryName"`
	Status               int                 `json:"status"`
	Result               int                 `json:"result"`
	Suspended            bool                `json:"suspended"`
	MayCancel            bool                `json:"mayCancel"`
	Reason               string              `json:"reason"`
	CreateTime           int64               `json:"createTime"`
	StartTime            int64               `json:"startTime"`
	EndTime              *int64              `json:"endTime"`
	DurationInMillis     *int64              `json:"durationInMillis"`
	StartUser            *identity.UserBrief `json:"startUser"`
	Summary              []SummaryItem       `json:"summary"`
	Tasks                []OpenTask          `json:"tasks"`
}

// SummaryItem is one field of the form that stands for the instance in lists.
type SummaryItem struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

// OpenTask is a task that waits for somebody.
type OpenTask struct {
	ID           string              `json:"id"`
	Name         string              `json:"name"`
	AssigneeUser *identity.UserBrief `json:"assigneeUser"`
}

// InstanceFilter holds the filters of both generations of clients.
type InstanceFilter struct {
	store.Paging
	Name                 string   `query:"name" maxLength:"200" doc:"流程名称|Name"`
	ProcessDefinitionID  string   `query:"processDefinitionId" maxLength:"200" doc:"流程定义|Definition"`
	ProcessDefinitionKey string   `query:"processDefinitionKey" maxLength:"100" doc:"流程标识|Process"`
	Category             string   `query:"category" maxLength:"64" doc:"流程分类|Category"`
	Status               int      `query:"status" minimum:"0" maximum:"4" doc:"状态|Status"`
	Result               int      `query:"result" minimum:"0" maximum:"4" doc:"结果|Result"`
	CreateTime           []string `query:"createTime,explode" maxItems:"2" doc:"发起时间|Started"`
	EndTime              []string `query:"endTime,explode" maxItems:"2" doc:"结束时间|Ended"`
	FormFieldsParams     string   `query:"formFieldsParams" maxLength:"4000" doc:"表单筛选|Fields of the form"`
}

func (in InstanceFilter) apply(ctx context.Context, q *store.Query) (*store.Query, error) {
	started, err := field.ParseSpan(ctx, "createTime", in.CreateTime)
	if err != nil {
		return nil, err
	}
	ended, err := field.ParseSpan(ctx, "endTime", in.EndTime)
	if err == nil {
		err = formFilter(q, in.FormFieldsParams)
	}
	return q.If(in.Name != "", clauseNamed, "name", store.Contains(in.Name)).
		If(in.ProcessDefinitionID != "", " AND i.definition_id = :definition", "definition", in.ProcessDefinitionID).
		If(in.ProcessDefinitionKey != "", " AND i.process_key = :key", "key", in.ProcessDefinitionKey).
		If(in.Category != "", clauseCategory, "category", in.Category).
		If(in.Status != 0, " AND i.result = :status", "status", in.Status).
		If(in.Result != 0, " AND i.result = :result", "result", in.Result).
		If(started.From != nil, " AND i.started_at >= :started_from", "started_from", started.From).
		If(started.To != nil, " AND i.started_at <= :started_to", "started_to", started.To).
		If(ended.From != nil, " AND i.ended_at >= :ended_from", "ended_from", ended.From).
		If(ended.To != nil, " AND i.ended_at > 0 AND i.ended_at <= :ended_to", "ended_to", ended.To), err
}

type managerPageIn struct {
	InstanceFilter
	StartUserID int64 `query:"startUserId" minimum:"0" doc:"发起人|Starter"`
}

func (s *Service) mountInstances(m *web.Module) {
	query := web.Perm("bpm:process-instance:query")
	web.Get(m, "/process-instance/my-page", query, s.myPage, web.Title("我发起的流程"))
	web.Get(m, "/process-instance/manager-page", web.Perm(permInstances), s.managerPage, web.Title("全部流程实例"))
	web.Post(m, "/process-instance/create", web.Perm("bpm:process-instance:query", "bpm:process-instance:create"), s.createInstance, web.Before(s.askBeforeStart), web.Title("发起流程"))
	web.Get(m, "/process-instance/get", query, s.getInstance, web.Title("流程实例详情"))
	for _, name := range []string{"cancel", "cancel-by-start-user"} {
		web.Delete(m, "/process-instance/"+name, web.Perm("bpm:process-instance:cancel"), s.cancelOwn, web.Title("发起人取消流程"))
	}
	web.Delete(m, "/process-instance/cancel-by-admin", web.Perm("bpm:process-instance:cancel-by-admin"), s.cancelByAdmin, web.Title("管理员取消流程"))
	web.Get(m, "/process-instance/get-approval-detail", query, s.approvalDetail, web.Title("审批详情"))
	web.Get(m, "/process-instance/get-next-approval-nodes", query, s.nextNodes, web.Title("预测下一审批节点"))
	web.Get(m, "/process-instance/get-bpmn-model-view", query, s.modelView, web.Title("流程图高亮"))
	web.Get(m, "/process-instance/get-print-data", query, s.printData, web.Title("打印数据"))
	web.Get(m, "/activity/list", web.Perm("bpm:task:query"), s.listActivities, web.Title("流程活动列表"))
	s.mountCopies(m)
}

func (s *Service) myPage(ctx context.Context, in InstanceFilter) (store.Page[InstanceView], error) {
	q, err := in.apply(ctx, store.Build(sqlInstancesFrom, nil).If(true, " AND i.starter_id = :me", "me", me(ctx)))
	if err != nil {
		return store.Page[InstanceView]{}, err
	}
	return s.instancePage(ctx, q, in.Paging)
}

func (s *Service) managerPage(ctx context.Context, in managerPageIn) (store.Page[InstanceView], error) {
	q, err := in.apply(ctx, store.Build(sqlInstancesFrom, nil).If(in.StartUserID != 0, " AND i.starter_id = :starter", "starter", in.StartUserID))
	if err != nil {
		return store.Page[InstanceView]{}, err
	}
	return s.instancePage(ctx, q, in.Paging)
}

func (s *Service) instancePage(ctx context.Context, q *store.Query, paging store.Paging) (store.Page[InstanceView], error) {
	page, err := store.SelectPage[instanceRow](ctx, instanceColumns, q, newestInstance, paging)
	if err != nil {
		return store.Page[InstanceView]{}, err
	}
	list, err := s.instanceViews(ctx, page.List)
	return store.Page[InstanceView]{List: list, Total: page.Total, Capped: page.Capped}, err
}

type openTaskRow struct {
	InstanceID string
	ID         int64
	Name       string
	AssigneeID int64
}

func (s *Service) instanceViews(ctx context.Context, rows []instanceRow) ([]InstanceView, error) {
	out := make([]InstanceView, len(rows))
	if len(rows) == 0 {
		return out, nil
	}
	ids, users := make([]string, len(rows)), []int64{}
	for i, r := range rows {
		ids[i] = r.ID
		users = append(users, r.StarterID)
	}
	open, err := store.Select[openTaskRow](ctx, sqlOpenTasksOf, store.Args{"ids": ids})
	if err != nil {
		return nil, err
	}
	for _, k := range open {
		users = append(users, k.AssigneeID)
	}
	known, err := usersOf(ctx, users)
	if err != nil {
		return nil, err
	}
	numbers, err := numbersOf(ctx, ids)
	if err != nil {
		return nil, err
	}
	categories, err := categoryNames(ctx)
	if err != nil {
		return nil, err
	}
	for i, r := range rows {
		p, err := s.planOf(ctx, r.DefinitionID)
		if err != nil {
			return nil, err
		}
		out[i] = r.view(known, p)
		out[i].Number = numbers[r.ID]
		out[i].CategoryName = categories[out[i].Category]
		for _, k := range open {
			if k.InstanceID == r.ID {
				out[i].Tasks = append(out[i].Tasks, OpenTask{ID: runtime.ExecutionID(k.InstanceID, k.ID), Name: k.Name, AssigneeUser: known.of(k.AssigneeID)})
			}
		}
	}
	return out, nil
}

func (r instanceRow) view(known people, p *plan) InstanceView {
	v := InstanceView{ID: r.ID, Name: r.Name, ProcessDefinitionID: r.DefinitionID, ProcessDefinitionKey: r.ProcessKey, Category: p.definition.Category, Status: r.Result, Result: r.Result,
		Suspended: r.Status == int(engine.Suspended), MayCancel: r.Status == int(engine.Running) && p.mayCancel(), Reason: r.Reason, CreateTime: r.StartedAt, StartTime: r.StartedAt, EndTime: given0(r.EndedAt), StartUser: known.of(r.StarterID),
		Summary: p.summary(documentVars(r.Vars), nil), Tasks: []OpenTask{}}
	if r.EndedAt > 0 {
		took := r.EndedAt - r.StartedAt
		v.DurationInMillis = &took
	}
	return v
}

const sqlCategoryNames = `SELECT code, name FROM bpm_category WHERE tenant_id = :tenant AND deleted = false`

func categoryNames(ctx context.Context) (map[string]string, error) {
	type row struct{ Code, Name string }
	rows, err := store.Select[row](ctx, sqlCategoryNames, nil)
	names := make(map[string]string, len(rows))
	for _, r := range rows {
		names[r.Code] = r.Name
	}
	return names, err
}
