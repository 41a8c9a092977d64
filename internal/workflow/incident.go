package workflow

import (
	"context"
	"errors"
	"slices"
	"strings"

	"viva/internal/identity"
	"viva/internal/kernel/audit"
	"viva/internal/kernel/errs"
	"viva/internal/kernel/field"
	"viva/internal/kernel/i18n"
	"viva/internal/kernel/store"
	"viva/internal/kernel/web"
	"viva/internal/workflow/bpmn"
	"viva/internal/workflow/engine"
	"viva/internal/workflow/runtime"
)

// incidentRow is an incident with its instance.
type incidentRow struct {
	InstanceID     string
	ID             int64
	TokenID        int64
	JobID          int64
	Kind           string
	Element        string
	Message        string
	Detail         string
	CreatedAt      int64
	ResolvedAt     int64
	ResolvedBy     int64
	DefinitionID   string
	InstanceName   string
	InstanceStatus int
	Version        int
	ProcessName    string
}

const (
	incidentColumns = `x.instance_id, x.id, x.token_id, x.job_id, x.kind, x.element, x.message, x.detail, x.created_at, x.resolved_at, x.resolved_by,
 i.definition_id, i.name AS instance_name, i.status AS instance_status, d.version, d.name AS process_name`
	sqlIncidentsFrom = `FROM wf_incident x JOIN wf_instance i ON i.tenant_id = x.tenant_id AND i.id = x.instance_id
 JOIN wf_definition d ON d.tenant_id = i.tenant_id AND d.id = i.definition_id WHERE x.tenant_id = :tenant`
	clauseUnresolved = ` AND x.resolved_at = 0`
	newestIncident   = `x.created_at DESC, x.instance_id DESC, x.id DESC`
	// All incidents of one instance, oldest first.
	sqlIncidentsOf = `SELECT ` + incidentColumns + ` ` + sqlIncidentsFrom + ` AND x.instance_id = :instance ORDER BY x.id`
)

var errIncidentMissing = errs.Define(1009023001, errs.NotFound, "异常不存在或已处理，请刷新", "No such incident, or it is dealt with already; reload")

// IncidentView is a place where a process cannot go on without help.
type IncidentView struct {
	ID                  string              `json:"id"`
	ProcessInstanceID   string              `json:"processInstanceId"`
	ProcessInstanceName string              `json:"processInstanceName"`
	ProcessDefinitionID string              `json:"processDefinitionId"`
	ProcessName         string              `json:"processName"`
	Version             int                 `json:"version"`
	Suspended           bool                `json:"suspended"`
	ElementID           string              `json:"elementId"`
	ElementName         string              `json:"elementName"`
	ElementType         string              `json:"elementType"`
	Kind                string              `json:"kind"`
	Message             string              `json:"message"`
	CreateTime          int64               `json:"createTime"`
	ResolveTime         *int64              `json:"resolveTime"`
	ResolveUser         *identity.UserBrief `json:"resolveUser"`
}

// IncidentDetail adds what was tried so far, newest last, and what can be chosen when the
// element is skipped.
type IncidentDetail struct {
	IncidentView
	Detail   string            `json:"detail"`
	Attempts []IncidentAttempt `json:"attempts"`
	// Flows are to choose from when the choice of a way was what failed.
	Flows []IncidentFlow `json:"flows"`
}

// IncidentAttempt is one failure at the place of an incident.
type IncidentAttempt struct {
	Time    int64  `json:"time"`
	Message string `json:"message"`
	Detail  string `json:"detail"`
}

// IncidentFlow is a way out of an element.
type IncidentFlow struct {
	ID         string `json:"id"`
	Name       string `json:"name"`
	TargetName string `json:"targetName"`
}

func (s *Service) mountIncidents(m *web.Module) {
	web.Get(m, "/incident/page", web.Perm(permInstances), s.incidentPage, web.Title("流程异常分页"))
	web.Get(m, "/incident/get", web.Perm(permInstances), s.getIncident, web.Title("流程异常详情"))
	web.Put(m, "/incident/retry", web.Perm(permOperate), s.retryIncident, web.Title("重试流程异常"))
	web.Put(m, "/incident/retry-list", web.Perm(permOperate), s.retryIncidents, web.NoTx, web.Title("批量重试流程异常"))
	web.Put(m, "/incident/skip", web.Perm(permOperate), s.skipIncident, web.Title("跳过流程异常"))
}

type incidentPageIn struct {
	store.Paging
	Name                 string   `query:"name" maxLength:"200" doc:"流程名称|Name"`
	ProcessDefinitionID  string   `query:"processDefinitionId" maxLength:"200" doc:"流程定义|Definition"`
	ProcessDefinitionKey string   `query:"processDefinitionKey" maxLength:"100" doc:"流程标识|Process"`
	Kind                 string   `query:"kind" enum:"flow,expression,error,handler,job" doc:"类型|Kind"`
	CreateTime           []string `query:"createTime,explode" maxItems:"2" doc:"发生时间|Since"`
}

// incidentPage lists what waits for an administrator.
func (s *Service) incidentPage(ctx context.Context, in incidentPageIn) (store.Page[IncidentView], error) {
	span, err := field.ParseSpan(ctx, "createTime", in.CreateTime)
	if err != nil {
		return store.Page[IncidentView]{}, err
	}
	q := store.Build(sqlIncidentsFrom, nil).Add(clauseUnresolved).
		If(in.Name != "", ` AND i.name LIKE :name ESCAPE '\'`, "name", store.Contains(in.Name)).
		If(in.ProcessDefinitionID != "", " AND i.definition_id = :definition", "definition", in.ProcessDefinitionID).
		If(in.ProcessDefinitionKey != "", " AND i.process_key = :key", "key", in.ProcessDefinitionKey).
		If(in.Kind != "", " AND x.kind = :kind", "kind", in.Kind).
		If(span.From != nil, " AND x.created_at >= :from", "from", span.From).
		If(span.To != nil, " AND x.created_at <= :to", "to", span.To)
	page, err := store.SelectPage[incidentRow](ctx, incidentColumns, q, newestIncident, in.Paging)
	if err != nil {
		return store.Page[IncidentView]{}, err
	}
	list, err := s.incidentViews(ctx, page.List)
	return store.Page[IncidentView]{List: list, Total: page.Total, Capped: page.Capped}, err
}

func (s *Service) incidentViews(ctx context.Context, rows []incidentRow) ([]IncidentView, error) {
	var users []int64
	for _, r := range rows {
		users = append(users, r.ResolvedBy)
	}
	known, err := usersOf(ctx, users)
	if err != nil {
		return nil, err
	}
	out := make([]IncidentView, len(rows))
	for i, r := range rows {
		p, err := s.engine.Process(ctx, r.DefinitionID)
		if err != nil {
			return nil, err
		}
		v := IncidentView{ID: runtime.ExecutionID(r.InstanceID, r.ID), ProcessInstanceID: r.InstanceID, ProcessInstanceName: r.InstanceName, ProcessDefinitionID: r.DefinitionID,
			ProcessName: r.ProcessName, Version: r.Version, Suspended: r.InstanceStatus == int(engine.Suspended), ElementID: r.Element, Kind: r.Kind,
			Message: oneLanguage(ctx, r.Message), CreateTime: r.CreatedAt, ResolveTime: given0(r.ResolvedAt), ResolveUser: known.of(r.ResolvedBy)}
		if n := nodeOf(p, r.Element); n != nil {
			v.ElementName, v.ElementType = n.Name, n.Kind.String()
		}
		out[i] = v
	}
	return out, nil
}

// nodeOf gives an element of the diagram, nil when it has none of that id.
func nodeOf(p *bpmn.Process, id string) *bpmn.Node {
	at, ok := p.Node(id)
	if !ok {
		return nil
	}
	return &p.Nodes[at]
}

// oneLanguage picks the reader's half of a message that the engine keeps in both
// languages, one after the other.
func oneLanguage(ctx context.Context, text string) string {
	zh, en, both := strings.Cut(text, " / ")
	if !both || !strings.ContainsFunc(zh, func(r rune) bool { return r > 0x2E7F }) {
		return text
	}
	return i18n.Pick(ctx, zh, en)
}

type incidentIDIn struct {
	ID string `query:"id" required:"true" minLength:"1" maxLength:"100" doc:"异常|Incident"`
}

// getIncident reads an incident, open or resolved, with the failures before it at the same
// place: the tries of its job, or the incidents that a retry ran into again.
func (s *Service) getIncident(ctx context.Context, in incidentIDIn) (IncidentDetail, error) {
	instance, n, ok := runtime.SplitExecutionID(in.ID)
	if !ok {
		return IncidentDetail{}, errIncidentMissing.With()
	}
	rows, err := store.Select[incidentRow](ctx, sqlIncidentsOf, store.Args{"instance": instance})
	at := slices.IndexFunc(rows, func(r incidentRow) bool { return r.ID == n })
	if err != nil || at < 0 {
		return IncidentDetail{}, orElse(err, errIncidentMissing.With())
	}
	row := rows[at]
	views, err := s.incidentViews(ctx, rows[at:at+1])
	if err != nil {
		return IncidentDetail{}, err
	}
	out := IncidentDetail{IncidentView: views[0], Detail: row.Detail, Attempts: []IncidentAttempt{}, Flows: []IncidentFlow{}}
	for _, r := range rows[:at+1] {
		if r.JobID == 0 && r.Element == row.Element && r.TokenID == row.TokenID {
			out.Attempts = append(out.Attempts, IncidentAttempt{Time: r.CreatedAt, Message: oneLanguage(ctx, r.Message), Detail: r.Detail})
		}
	}
	if row.JobID != 0 {
		if err := s.triesOf(ctx, row, &out); err != nil {
			return out, err
		}
	}
	p, err := s.engine.Process(ctx, row.DefinitionID)
	if node := nodeOf(p, row.Element); err == nil && node != nil && row.Kind == string(engine.IncidentFlow) {
		for _, f := range node.Outgoing {
			flow := &p.Flows[f]
			out.Flows = append(out.Flows, IncidentFlow{ID: flow.ID, Name: flow.Name, TargetName: nameOf(&p.Nodes[flow.Target])})
		}
	}
	return out, err
}

// triesOf adds the failed tries of a job out of the history of its instance.
func (s *Service) triesOf(ctx context.Context, row incidentRow, out *IncidentDetail) error {
	events, err := s.engine.Events(ctx, row.InstanceID)
	if err != nil {
		return err
	}
	commands, err := engine.Commands(events)
	for _, c := range commands {
		if f, ok := c.Command.Do.(*engine.FailJob); ok && f.Job == row.JobID && c.Command.At <= row.CreatedAt {
			out.Attempts = append(out.Attempts, IncidentAttempt{Time: c.Command.At, Message: oneLanguage(ctx, f.Message), Detail: f.Detail})
		}
	}
	return err
}

// nameOf is what people call an element.
func nameOf(n *bpmn.Node) string {
	if n.Name != "" {
		return n.Name
	}
	return n.ID
}

type retryIn struct {
	ID     string `json:"id" required:"true" minLength:"1" maxLength:"100" doc:"异常|Incident"`
	Reason string `json:"reason" required:"true" minLength:"1" maxLength:"500" doc:"理由|Reason"`
}

// RetryOutcome says what came of a retry at once. Pending: background work was started
// and tells later, by a further incident or by going on.
type RetryOutcome struct {
	Pending bool `json:"pending"`
	// Again is the incident that the retry ran into, empty when it went on.
	Again   string `json:"again"`
	Message string `json:"message"`
}

// retryIncident tries again where a process stopped.
func (s *Service) retryIncident(ctx context.Context, in retryIn) (RetryOutcome, error) {
	var out RetryOutcome
	err := s.onIncident(ctx, incidentAct{in.ID, in.Reason, "重试异常"}, func(ctx context.Context, v *runtime.View, x engine.Incident) error {
		if _, err := s.engine.Do(ctx, runtime.Command{Instance: v.State.Instance.ID, Action: &engine.RetryIncident{Incident: x.ID}}); err != nil {
			return err
		}
		after, err := s.engine.Load(ctx, v.State.Instance.ID)
		if err != nil {
			return err
		}
		out.Pending = x.Job != 0
		for _, more := range after.State.Incidents {
			if more.ID > x.ID {
				out.Again, out.Message = runtime.ExecutionID(v.State.Instance.ID, more.ID), oneLanguage(ctx, more.Message)
			}
		}
		return nil
	})
	return out, err
}

type retryListIn struct {
	IDs    []string `json:"ids" required:"true" minItems:"1" maxItems:"200" doc:"异常|Incidents"`
	Reason string   `json:"reason" required:"true" minLength:"1" maxLength:"500" doc:"理由|Reason"`
}

// RetryResult is what came of one retry of several; Refused says why it was not tried.
type RetryResult struct {
	ID string `json:"id"`
	RetryOutcome
	Refused string `json:"refused"`
}

// retryIncidents retries one after another, each in a transaction of its own: one that is
// refused takes no other back, and a list sent twice finds the first done.
func (s *Service) retryIncidents(ctx context.Context, in retryListIn) ([]RetryResult, error) {
	out := make([]RetryResult, 0, len(in.IDs))
	for _, id := range in.IDs {
		done, err := s.retryIncident(ctx, retryIn{ID: id, Reason: in.Reason})
		result := RetryResult{ID: id, RetryOutcome: done}
		var known *errs.Error
		if err != nil && (!errors.As(err, &known) || known.Code.Kind == errs.Invalid) {
			return nil, err
		}
		if known != nil {
			result.Refused = known.Text(i18n.Lang(ctx))
		}
		out = append(out, result)
	}
	return out, nil
}

type skipIn struct {
	ID     string `json:"id" required:"true" minLength:"1" maxLength:"100" doc:"异常|Incident"`
	Flow   string `json:"flow" maxLength:"255" doc:"走哪条连线|Flow to take"`
	Reason string `json:"reason" required:"true" minLength:"1" maxLength:"500" doc:"理由|Reason"`
}

// skipIncident goes on behind the element that failed, as if it had done its work.
func (s *Service) skipIncident(ctx context.Context, in skipIn) (bool, error) {
	err := s.onIncident(ctx, incidentAct{in.ID, in.Reason, "跳过异常"}, func(ctx context.Context, v *runtime.View, x engine.Incident) error {
		if x.Kind == engine.IncidentFlow && in.Flow == "" {
			return errs.Field("flow", "请选择走哪条连线", "choose the flow to take")
		}
		_, err := s.engine.Do(ctx, runtime.Command{Instance: v.State.Instance.ID, Action: &engine.SkipIncident{Incident: x.ID, Flow: in.Flow}})
		return err
	})
	return err == nil, err
}

type incidentAct struct{ id, reason, action string }

// onIncident runs fn on an open incident under the lock of its instance.
func (s *Service) onIncident(ctx context.Context, act incidentAct, fn func(context.Context, *runtime.View, engine.Incident) error) error {
	instance, n, ok := runtime.SplitExecutionID(act.id)
	if !ok {
		return errIncidentMissing.With()
	}
	err := s.operate(ctx, operation{instance: instance, reason: act.reason, action: act.action}, func(ctx context.Context, v *runtime.View) (audited, error) {
		x := v.State.Incident(n)
		if x == nil {
			return audited{}, errIncidentMissing.With()
		}
		entry := audited{before: map[string]any{"incidentId": act.id, "elementId": x.Element, "kind": string(x.Kind), "message": x.Message}}
		return entry, fn(ctx, v, *x)
	})
	if errs.Is(err, errInstanceMissing) {
		return errIncidentMissing.With()
	}
	return err
}

// audited is what an act leaves in the audit trail besides its reason.
type audited struct{ before, after map[string]any }

func (a audited) entry(op operation) audit.Entry {
	if a.after == nil {
		a.after = map[string]any{}
	}
	a.after["processInstanceId"], a.after["reason"] = op.instance, op.reason
	return audit.Entry{Table: "wf_instance", Title: "流程实例", Op: audit.Event, Action: op.action, Before: a.before, After: a.after}
}
