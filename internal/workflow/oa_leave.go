package workflow

import (
	"context"
	"strconv"
	"time"

	"viva/internal/kernel/actor"
	"viva/internal/kernel/crud"
	"viva/internal/kernel/errs"
	"viva/internal/kernel/field"
	"viva/internal/kernel/store"
	"viva/internal/kernel/table"
	"viva/internal/kernel/web"
	"viva/internal/workflow/engine"
)

// Leave is an application for leave: the sample of a business form. It knows of its
// process only what every module does, Start and OnResult.
type Leave struct {
	ID                int64  `json:"id"`
	UserID            int64  `json:"userId"`
	Type              int    `json:"type"`
	Reason            string `json:"reason"`
	StartTime         int64  `json:"startTime"`
	EndTime           int64  `json:"endTime"`
	Day               int    `json:"day"`
	Status            int    `json:"status"`
	ProcessInstanceID string `json:"processInstanceId"`
	crud.Meta
}

// leaveProcess is the key of the process that decides applications for leave.
const leaveProcess = "oa_leave"

var (
	leaves          = table.New[Leave]("bpm_oa_leave", "请假申请")
	errLeaveMissing = errs.Define(1009001001, errs.NotFound, "请假申请不存在或无权查看，请刷新", "No such application for leave, or not yours to see; reload")
)

// LeaveView is an application on the wire; result is the older name of status.
type LeaveView struct {
	ID                int64  `json:"id"`
	Type              int    `json:"type"`
	Reason            string `json:"reason"`
	StartTime         int64  `json:"startTime"`
	EndTime           int64  `json:"endTime"`
	Day               int    `json:"day"`
	CreateTime        int64  `json:"createTime"`
	Status            int    `json:"status"`
	Result            int    `json:"result"`
	ProcessInstanceID string `json:"processInstanceId"`
}

func (l Leave) view() LeaveView {
	return LeaveView{ID: l.ID, Type: l.Type, Reason: l.Reason, StartTime: l.StartTime, EndTime: l.EndTime, Day: l.Day, CreateTime: l.CreateTime,
		Status: l.Status, Result: l.Status, ProcessInstanceID: l.ProcessInstanceID}
}

func (s *Service) mountLeaves(m *web.Module) {
	web.Post(m, "/oa/leave/create", web.Perm("bpm:oa-leave:create"), s.createLeave, web.Title("提交请假申请"))
	web.Get(m, "/oa/leave/get", web.Perm("bpm:oa-leave:query"), s.getLeave, web.Title("请假申请详情"))
	web.Get(m, "/oa/leave/page", web.Perm("bpm:oa-leave:query"), s.leavePage, web.Title("我的请假申请"))
}

type leaveIn struct {
	StartTime                int64              `json:"startTime" required:"true" minimum:"1" maximum:"4102444800000" doc:"开始时间|From"`
	EndTime                  int64              `json:"endTime" required:"true" minimum:"1" maximum:"4102444800000" doc:"结束时间|To"`
	Type                     int                `json:"type" minimum:"0" maximum:"99" doc:"请假类型|Type"`
	Reason                   string             `json:"reason" maxLength:"500" doc:"事由|Reason"`
	StartUserSelectAssignees map[string][]int64 `json:"startUserSelectAssignees" maxProperties:"100" doc:"自选审批人|Chosen people"`
}

// createLeave stores the application and starts its process in one transaction.
func (s *Service) createLeave(ctx context.Context, in leaveIn) (int64, error) {
	reason, err := plainText("reason", in.Reason)
	switch {
	case err != nil:
		return 0, err
	case in.EndTime < in.StartTime:
		return 0, errs.Field("endTime", "结束时间不能早于开始时间", "must not be before the start")
	}
	if err := s.mayStart(ctx, leaveProcess); err != nil {
		return 0, err
	}
	days := int(time.Duration(in.EndTime-in.StartTime) * time.Millisecond / (24 * time.Hour))
	row := Leave{UserID: actor.From(ctx).UserID, Type: in.Type, Reason: reason, StartTime: in.StartTime, EndTime: in.EndTime, Day: days, Status: int(engine.InProgress)}
	if err := leaves.Insert(ctx, &row); err != nil {
		return 0, err
	}
	vars := map[string]any{"day": days, "type": in.Type, "reason": reason, "startTime": in.StartTime, "endTime": in.EndTime}
	instance, err := s.Start(ctx, StartIn{Process: leaveProcess, BusinessID: strconv.FormatInt(row.ID, 10), Vars: vars, Picks: in.StartUserSelectAssignees})
	if err != nil {
		return 0, err
	}
	// The process may have ended at once, which changed the row.
	_, err = leaves.Change(ctx, row.ID, func(l *Leave) error { l.ProcessInstanceID = instance; return nil })
	return row.ID, err
}

// mayStart refuses a caller whom the model does not let start its process.
func (s *Service) mayStart(ctx context.Context, process string) error {
	d, err := s.newestStartable(ctx, process)
	if err == nil && !d.startableBy(actor.From(ctx)) {
		err = errStartNotAllowed.With(d.Name)
	}
	return err
}

// leaveEnded writes the outcome of the process to the application.
func leaveEnded(ctx context.Context, o Outcome) error {
	id, err := strconv.ParseInt(o.BusinessID, 10, 64)
	if err != nil {
		return err
	}
	_, err = leaves.Change(ctx, id, func(l *Leave) error { l.Status = int(o.Result); return nil })
	return err
}

type leaveIDIn struct {
	ID int64 `query:"id" required:"true" minimum:"1" doc:"编号|Id"`
}

// getLeave shows an application to its owner and to whoever may see its process.
func (s *Service) getLeave(ctx context.Context, in leaveIDIn) (LeaveView, error) {
	row, err := leaves.Get(ctx, in.ID)
	if errs.Is(err, errs.ErrNoRecord) {
		err = errLeaveMissing.With()
	}
	if err != nil || row.UserID == me(ctx) {
		return row.view(), err
	}
	if _, err = s.readable(ctx, row.ProcessInstanceID); err != nil {
		if errs.Is(err, errInstanceMissing) {
			err = errLeaveMissing.With()
		}
		return LeaveView{}, err
	}
	return row.view(), nil
}

const (
	sqlLeavesFrom = `FROM bpm_oa_leave t WHERE t.tenant_id = :tenant AND t.deleted = false AND t.user_id = :me`
	leaveColumns  = `t.id, t.user_id, t.type, t.reason, t.start_time, t.end_time, t.day, t.status, t.process_instance_id, t.create_time`
)

type leavePageIn struct {
	store.Paging
	Status     int      `query:"status" minimum:"0" maximum:"4" doc:"状态|Status"`
	Result     int      `query:"result" minimum:"0" maximum:"4" doc:"结果|Result"`
	Type       int      `query:"type" minimum:"0" maximum:"99" doc:"请假类型|Type"`
	Reason     string   `query:"reason" maxLength:"100" doc:"事由|Reason"`
	CreateTime []string `query:"createTime,explode" maxItems:"2" doc:"申请时间|Created"`
}

// leavePage lists the caller's own applications, newest first.
func (s *Service) leavePage(ctx context.Context, in leavePageIn) (store.Page[LeaveView], error) {
	out := store.Page[LeaveView]{List: []LeaveView{}}
	span, err := field.ParseSpan(ctx, "createTime", in.CreateTime)
	if err != nil {
		return out, err
	}
	q := store.Build(sqlLeavesFrom, store.Args{"me": me(ctx)}).
		If(in.Status != 0, " AND t.status = :status", "status", in.Status).If(in.Result != 0, " AND t.status = :result", "result", in.Result).
		If(in.Type != 0, " AND t.type = :type", "type", in.Type).
		If(in.Reason != "", ` AND t.reason LIKE :reason ESCAPE '\'`, "reason", store.Contains(in.Reason)).
		If(span.From != nil, " AND t.create_time >= :from", "from", span.From).If(span.To != nil, " AND t.create_time <= :to", "to", span.To)
	page, err := store.SelectPage[Leave](ctx, leaveColumns, q, "t.id DESC", in.Paging)
	out.Total, out.Capped = page.Total, page.Capped
	for _, row := range page.List {
		out.List = append(out.List, row.view())
	}
	return out, err
}
