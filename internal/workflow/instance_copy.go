package workflow

import (
	"cmp"
	"context"
	"slices"

	"viva/internal/identity"
	"viva/internal/kernel/clock"
	"viva/internal/kernel/errs"
	"viva/internal/kernel/field"
	"viva/internal/kernel/store"
	"viva/internal/kernel/web"
	"viva/internal/workflow/engine"
	"viva/internal/workflow/runtime"
)

const (
	copyColumns = `k.id, k.user_id, k.start_user_id, k.process_instance_id, k.process_instance_name, k.activity_id, k.activity_name, k.task_id, k.reason,
 k.create_user_id, k.create_time, k.unread, COALESCE(i.started_at, 0) AS started_at, COALESCE(i.definition_id, '') AS definition_id, COALESCE(i.vars, '') AS vars`
	sqlCopiesFrom = `FROM bpm_process_instance_copy k LEFT JOIN wf_instance i ON i.tenant_id = k.tenant_id AND i.id = k.process_instance_id
 WHERE k.tenant_id = :tenant AND k.user_id = :me`
	sqlCopiedTo     = `SELECT user_id FROM bpm_process_instance_copy WHERE tenant_id = :tenant AND process_instance_id = :instance AND task_id = :task`
	clauseCopyNamed = ` AND (k.process_instance_name LIKE :name ESCAPE '\'
 OR EXISTS (SELECT 1 FROM bpm_process_number n WHERE n.tenant_id = :tenant AND n.instance_id = k.process_instance_id AND n.number LIKE :name ESCAPE '\'))`
	sqlAddCopy = `INSERT INTO bpm_process_instance_copy (tenant_id, user_id, start_user_id, process_instance_id, process_instance_name, activity_id, activity_name, task_id, reason,
 create_user_id, create_time, unread) VALUES (:tenant, :user, :starter, :instance, :name, :element, :element_name, :task, :reason, :me, :now, true)
 ON CONFLICT (tenant_id, process_instance_id, task_id, user_id) DO NOTHING`
)

type copyRow struct {
	ID                  int64
	UserID              int64
	StartUserID         int64
	ProcessInstanceID   string
	ProcessInstanceName string
	ActivityID          string
	ActivityName        string
	TaskID              string
	Reason              string
	CreateUserID        int64
	CreateTime          int64
	Unread              bool
	instanceOfCopy
}

type instanceOfCopy struct {
	StartedAt    int64
	DefinitionID string
	Vars         engine.Document
}

// CopyView is an instance that was copied to the caller.
type CopyView struct {
	ID                       int64               `json:"id"`
	StartUser                *identity.UserBrief `json:"startUser"`
	ProcessInstanceID        string              `json:"processInstanceId"`
	ProcessInstanceName      string              `json:"processInstanceName"`
	Number                   string              `json:"number"`
	ProcessInstanceStartTime int64               `json:"processInstanceStartTime"`
	ActivityID               string              `json:"activityId"`
	ActivityName             string              `json:"activityName"`
	TaskID                   string              `json:"taskId"`
	Reason                   string              `json:"reason"`
	CreateUser               *identity.UserBrief `json:"createUser"`
	CreateTime               int64               `json:"createTime"`
	Unread                   bool                `json:"unread"`
	Summary                  []SummaryItem       `json:"summary"`
}

type copyPageIn struct {
	store.Paging
	ProcessInstanceName string   `query:"processInstanceName" maxLength:"200" doc:"流程名称|Name"`
	ProcessInstanceID   string   `query:"processInstanceId" maxLength:"64" doc:"流程实例|Instance"`
	CreateTime          []string `query:"createTime,explode" maxItems:"2" doc:"抄送时间|Copied"`
	Unread              bool     `query:"unread" doc:"只看未读|Unread only"`
}

func (s *Service) mountCopies(m *web.Module) {
	for _, path := range []string{"/process-instance/copy/page", "/process-instance/cc/my-page"} {
		web.Get(m, path, web.Perm("bpm:process-instance-cc:query"), s.copyPage, web.Title("抄送我的流程"))
	}
	web.Put(m, "/process-instance/copy/read", web.Perm("bpm:process-instance-cc:query"), readCopies, web.Title("把抄送标为已读"))
	web.Post(m, "/process-instance/cc/create", web.Perm("bpm:process-instance-cc:create"), s.createCopy, web.Title("抄送流程"))
}

func (s *Service) copyPage(ctx context.Context, in copyPageIn) (store.Page[CopyView], error) {
	out := store.Page[CopyView]{List: []CopyView{}}
	span, err := field.ParseSpan(ctx, "createTime", in.CreateTime)
	if err != nil {
		return out, err
	}
	q := store.Build(sqlCopiesFrom, store.Args{"me": me(ctx)}).
		If(in.ProcessInstanceName != "", clauseCopyNamed, "name", store.Contains(in.ProcessInstanceName)).
		If(in.ProcessInstanceID != "", " AND k.process_instance_id = :instance", "instance", in.ProcessInstanceID).
		If(in.Unread, " AND k.unread = true", "", nil).
		If(span.From != nil, " AND k.create_time >= :from", "from", span.From).If(span.To != nil, " AND k.create_time <= :to", "to", span.To)
	page, err := store.SelectPage[copyRow](ctx, copyColumns, q, unreadFirst, in.Paging)
	if err != nil {
		return out, err
	}
	var ids []int64
	instances := make([]string, len(page.List))
	for i, r := range page.List {
		ids = append(ids, r.StartUserID, r.CreateUserID)
		instances[i] = r.ProcessInstanceID
	}
	known, err := usersOf(ctx, ids)
	if err != nil {
		return out, err
	}
	numbers, err := numbersOf(ctx, instances)
	if err != nil {
		return out, err
	}
	out.Total, out.Capped = page.Total, page.Capped
	for _, r := range page.List {
		p, err := s.planOf(ctx, r.DefinitionID)
		if err != nil {
			return out, err
		}
		may, err := s.fieldsAt(ctx, r.DefinitionID, r.ActivityID)
		if err != nil {
			return out, err
		}
		out.List = append(out.List, CopyView{ID: r.ID, StartUser: known.of(r.StartUserID), ProcessInstanceID: r.ProcessInstanceID, ProcessInstanceName: r.ProcessInstanceName, Number: numbers[r.ProcessInstanceID],
			ProcessInstanceStartTime: r.StartedAt, ActivityID: r.ActivityID, ActivityName: r.ActivityName, TaskID: r.TaskID, Reason: r.Reason,
			CreateUser: known.of(r.CreateUserID), CreateTime: r.CreateTime, Unread: r.Unread, Summary: p.summary(documentVars(r.Vars), may)})
	}
	return out, nil
}

const (
	unreadFirst = `k.unread DESC, k.id DESC`

	sqlReadCopies = `UPDATE bpm_process_instance_copy SET unread = false WHERE tenant_id = :tenant AND user_id = :me AND unread = true
 AND (:instance = '' OR process_instance_id = :instance)`
)

type readCopiesIn struct {
	ProcessInstanceID string `query:"processInstanceId" maxLength:"64" doc:"流程实例，空为全部|Instance, all when empty"`
}

// readCopies marks what was copied to the caller as read: one instance, or everything.
func readCopies(ctx context.Context, in readCopiesIn) (bool, error) {
	_, err := store.Exec(ctx, sqlReadCopies, store.Args{"me": me(ctx), "instance": in.ProcessInstanceID})
	return err == nil, err
}

type copyTaskIn struct {
	ID          string  `json:"id" required:"true" minLength:"1" maxLength:"100" doc:"任务|Task"`
	CopyUserIDs []int64 `json:"copyUserIds" required:"true" minItems:"1" maxItems:"100" doc:"抄送人|Receivers"`
	Reason      string  `json:"reason" maxLength:"2000" doc:"抄送意见|Reason"`
}

type createCopyIn struct {
	TaskID      string  `json:"taskId" required:"true" minLength:"1" maxLength:"100" doc:"任务|Task"`
	UserIDs     []int64 `json:"userIds" maxItems:"100" doc:"抄送人|Receivers"`
	CopyUserIDs []int64 `json:"copyUserIds" maxItems:"100" doc:"抄送人|Receivers"`
	Reason      string  `json:"reason" maxLength:"2000" doc:"抄送意见|Reason"`
}

func (s *Service) createCopy(ctx context.Context, in createCopyIn) (bool, error) {
	return s.copyTask(ctx, copyTaskIn{ID: in.TaskID, CopyUserIDs: append(slices.Clone(in.UserIDs), in.CopyUserIDs...), Reason: in.Reason})
}

// copyTask shows the instance of a task to others. The assignee may do it, and whoever
// decided the task.
func (s *Service) copyTask(ctx context.Context, in copyTaskIn) (bool, error) {
	reason, err := plainText("reason", in.Reason)
	if err != nil {
		return false, err
	}
	instance, task, err := s.taskOnRecord(ctx, in.ID)
	if err != nil {
		return false, err
	}
	if task.AssigneeID != me(ctx) {
		return false, errNotYourTask.With()
	}
	users := distinct(in.CopyUserIDs)
	live, err := enabledUsers(ctx, users)
	if err != nil {
		return false, err
	}
	if gone := slices.DeleteFunc(slices.Clone(users), func(id int64) bool { return slices.Contains(live, id) }); len(gone) > 0 || len(users) == 0 {
		list := cmp.Or(joinIDs(gone), "0")
		return false, errs.Field("copyUserIds", "抄送人不存在或已停用："+list, "these people are unknown or disabled: "+list)
	}
	id := runtime.ExecutionID(instance.ID, task.ID)
	known, err := store.Select[int64](ctx, sqlCopiedTo, store.Args{"instance": instance.ID, "task": id})
	if err != nil {
		return false, err
	}
	users = slices.DeleteFunc(users, func(user int64) bool { return slices.Contains(known, user) })
	for _, user := range users {
		args := store.Args{"user": user, "starter": instance.StarterID, "instance": instance.ID, "name": instance.Name, "element": task.Element, "element_name": task.Name,
			"task": id, "reason": reason, "me": me(ctx), "now": clock.Millis()}
		if err := store.Later(ctx, sqlAddCopy, args); err != nil {
			return false, err
		}
	}
	return true, keepCopied(ctx, instance.ID, task.ID, users, reason)
}

// keepCopied leaves a line in the history of the instance: who reads it sees who else does.
func keepCopied(ctx context.Context, instance string, task int64, users []int64, reason string) error {
	if len(users) == 0 {
		return nil
	}
	known, err := usersOf(ctx, users)
	if err != nil {
		return err
	}
	message := "抄送 " + known.names(users)
	if reason != "" {
		message += "：" + reason
	}
	return keep(ctx, instance, task, note{kind: commentCopied, message: message})
}
