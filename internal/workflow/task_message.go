package workflow

import (
	"context"

	"viva/internal/identity"
	"viva/internal/kernel/module"
	"viva/internal/kernel/store"
	"viva/internal/system"
	"viva/internal/workflow/engine"
	"viva/internal/workflow/runtime"
)

// The internal messages of contract bpm.md A.11, and our own for urging and for what
// stops. They are written in the transaction of what they tell.
const (
	msgAssigned = "bpm_task_assigned"
	msgApproved = "bpm_process_instance_approve"
	msgRejected = "bpm_process_instance_reject"
	msgTimeout  = "bpm_task_timeout"
	msgUrged    = "bpm_task_urged"
	msgIncident = "bpm_incident_raised"
	msgNotice   = "bpm_process_notice"
)

var templates = []module.Template{
	{Code: msgAssigned, Name: "新的审批任务", Nickname: "工作流程", Type: 2, Content: "{startUserNickname}发起的“{processInstanceName}”到了“{taskName}”，等待您审批。查看：{detailUrl}"},
	{Code: msgApproved, Name: "流程审批通过", Nickname: "工作流程", Type: 2, Content: "您发起的“{processInstanceName}”已审批通过。查看：{detailUrl}"},
	{Code: msgRejected, Name: "流程审批不通过", Nickname: "工作流程", Type: 2, Content: "您发起的“{processInstanceName}”未通过，原因：{reason}。查看：{detailUrl}"},
	{Code: msgTimeout, Name: "审批任务超时", Nickname: "工作流程", Type: 2, Content: "“{processInstanceName}”的任务“{taskName}”已超时，请尽快审批。查看：{detailUrl}"},
	{Code: msgIncident, Name: "流程异常", Nickname: "工作流程", Type: 2, Content: "“{processInstanceName}”在“{taskName}”停下，需要处理：{reason}。查看：{detailUrl}"},
	{Code: msgUrged, Name: "审批催办", Nickname: "工作流程", Type: 2, Content: "{startUserNickname}请您尽快审批“{processInstanceName}”的“{taskName}”：{reason}。查看：{detailUrl}"},
	{Code: msgNotice, Name: "流程通知", Nickname: "工作流程", Type: 2, Content: "“{processInstanceName}”：{text}。查看：{detailUrl}"},
}

// detailURL is the page of an instance, relative to where the application is mounted.
func detailURL(instance string) string { return "/bpm/process-instance/detail?id=" + instance }

// tellAssigned tells whoever has a task now. By the time the hook runs, a task that was
// decided without asking is gone, and nobody hears of it.
func (s *Service) tellAssigned(ctx context.Context, ev *runtime.TaskEvent) error {
	open := ev.State.Task(ev.Task.ID)
	if open == nil || open.Status != engine.TaskOpen || open.AssigneeID == 0 || open.AssigneeID != ev.Task.AssigneeID {
		return nil
	}
	return s.tellTask(ctx, msgAssigned, ev.Instance, *open, "")
}

// tellTask sends a message about an open task to its assignee.
func (s *Service) tellTask(ctx context.Context, template string, in engine.Instance, task engine.Task, reason string) error {
	starter, err := nickname(ctx, in.StarterID)
	if err != nil {
		return err
	}
	return system.Notify(ctx, []int64{task.AssigneeID}, template, map[string]any{"processInstanceName": in.Name, "taskName": task.Name,
		"startUserNickname": starter, "reason": reason, "detailUrl": detailURL(in.ID)})
}

// tellEnd tells the starter how his instance ended; he knows what he cancelled himself.
func tellEnd(ctx context.Context, in engine.Instance) error {
	template := map[engine.Result]string{engine.Approved: msgApproved, engine.Rejected: msgRejected}[in.Result]
	if template == "" || in.StarterID == 0 {
		return nil
	}
	return system.Notify(ctx, []int64{in.StarterID}, template, map[string]any{"processInstanceName": in.Name, "reason": in.Reason, "detailUrl": detailURL(in.ID)})
}

// tellIncident tells the managers of a model that one of its instances cannot go on.
func (s *Service) tellIncident(ctx context.Context, ev *runtime.IncidentRaised) error {
	p, err := s.planOf(ctx, ev.Instance.DefinitionID)
	if err != nil || len(p.settings().ManagerUserIDs) == 0 {
		return err
	}
	process, err := s.engine.Process(ctx, ev.Instance.DefinitionID)
	if err != nil {
		return err
	}
	element := ev.Incident.Element
	if n := nodeOf(process, element); n != nil {
		element = nameOf(n)
	}
	return system.Notify(ctx, p.settings().ManagerUserIDs, msgIncident, map[string]any{"processInstanceName": ev.Instance.Name, "taskName": element,
		"reason": oneLanguage(ctx, ev.Incident.Message), "detailUrl": detailURL(ev.Instance.ID)})
}

const sqlBriefsByID = `SELECT u.id, u.username, u.nickname, u.avatar, u.dept_id, u.user_type, COALESCE(d.name, '') AS dept_name FROM system_users u
 LEFT JOIN system_dept d ON d.tenant_id = u.tenant_id AND d.id = u.dept_id WHERE u.tenant_id = :tenant AND u.id IN (:ids)`

// people are the users of a list by id, as the wire family shows them.
type people map[int64]identity.UserBrief

// usersOf reads users who exist or existed.
func usersOf(ctx context.Context, ids []int64) (people, error) {
	found := people{}
	ids = distinct(ids)
	for len(ids) > 0 {
		part := ids[:min(len(ids), 500)]
		ids = ids[len(part):]
		rows, err := store.Select[identity.UserBrief](ctx, sqlBriefsByID, store.Args{"ids": part})
		if err != nil {
			return nil, err
		}
		for _, u := range rows {
			found[u.ID] = u
		}
	}
	return found, nil
}

// of gives the brief of a user, nil for nobody.
func (p people) of(id int64) *identity.UserBrief {
	u, ok := p[id]
	if !ok {
		return nil
	}
	return &u
}

func nickname(ctx context.Context, user int64) (string, error) {
	found, err := usersOf(ctx, []int64{user})
	return found[user].Nickname, err
}
