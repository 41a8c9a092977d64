package workflow

import (
	"context"
	"fmt"
	"time"

	"viva/internal/identity"
	"viva/internal/kernel/actor"
	"viva/internal/kernel/clock"
	"viva/internal/kernel/store"
	"viva/internal/workflow/runtime"
)

// demoLeave is an application for leave of the demo university and what became of it.
type demoLeave struct {
	starter   string
	kind      int
	in, days  int // the first day from now, and how many
	reason    string
	decisions []demoDecision
	cancelled string
	copied    string // to whom the first decider copies it
}

// demoDecision is the answer of one decider in the order of the process.
type demoDecision struct {
	who, opinion string
	rejected     bool
}

// demoLeaves stand at every place where an application can: before the head, before the
// office, approved by one and by two, rejected, cancelled.
var demoLeaves = []demoLeave{
	{starter: "advisor02", kind: 1, in: -20, days: 2, reason: "发烧就诊，课程已与同事调换", decisions: []demoDecision{{who: "dean01", opinion: "同意，注意休息"}}},
	{starter: "advisor01", kind: 2, in: -12, days: 5, reason: "赴外地参加学术会议", copied: "secretary01",
		decisions: []demoDecision{{who: "dean01", opinion: "同意，请安排好研究生组会"}, {who: "training01", opinion: "已登记"}}},
	{starter: "advisor02", kind: 2, in: 3, days: 10, reason: "个人事务", decisions: []demoDecision{{who: "dean01", opinion: "正值答辩安排期，请改期", rejected: true}}},
	{starter: "advisor01", kind: 2, in: 5, days: 1, reason: "家中有事", cancelled: "时间有变，另行申请"},
	{starter: "secretary01", kind: 3, in: 12, days: 9, reason: "婚假", decisions: []demoDecision{{who: "dean01", opinion: "同意"}}},
	{starter: "advisor01", kind: 1, in: 2, days: 1, reason: "年度体检"},
	{starter: "advisor02", kind: 2, in: 7, days: 4, reason: "校外评审"},
	{starter: "training01", kind: 2, in: 4, days: 2, reason: "参加研究生教育研讨会"},
}

const (
	sqlAnyLeave     = `SELECT COUNT(*) FROM bpm_oa_leave WHERE tenant_id = :tenant AND deleted = false`
	sqlDemoOpenTask = `SELECT t.id FROM wf_task t WHERE t.tenant_id = :tenant AND t.instance_id = :instance AND t.ended_at = 0 AND t.assignee_id = :me`
)

// DemoLeaves applies for leave and decides it, as the people of the organisation would, in
// the tenant of ctx after DemoModels. It does nothing in a tenant that has applications.
func (s *Service) DemoLeaves(ctx context.Context, org identity.Organisation) error {
	return store.Write(ctx, func(ctx context.Context) error {
		n, err := store.One[int64](ctx, sqlAnyLeave, nil)
		if err != nil || n > 0 {
			return err
		}
		for i, l := range demoLeaves {
			if err := s.demoLeave(ctx, org, l); err != nil {
				return fmt.Errorf("leave %d: %w", i+1, err)
			}
		}
		return nil
	})
}

func (s *Service) demoLeave(ctx context.Context, org identity.Organisation, l demoLeave) error {
	known, err := usersOf(ctx, demoUsers(org, l))
	if err != nil {
		return err
	}
	as := func(name string) context.Context {
		u := known[org.Users[name]]
		return actor.With(ctx, actor.Actor{Kind: actor.User, UserID: u.ID, UserType: actor.Teacher, TenantID: actor.From(ctx).TenantID, Username: name, Nickname: u.Nickname, DeptID: u.DeptID})
	}
	morning := clock.Now().In(clock.Shanghai).Truncate(24*time.Hour).AddDate(0, 0, l.in)
	id, err := s.createLeave(as(l.starter), leaveIn{Type: l.kind, Reason: l.reason, StartTime: morning.UnixMilli(), EndTime: morning.AddDate(0, 0, l.days).UnixMilli()})
	if err != nil {
		return err
	}
	row, err := leaves.Get(ctx, id)
	if err != nil {
		return err
	}
	if l.cancelled != "" {
		in := cancelIn{}
		in.Body.ID, in.Body.Reason = row.ProcessInstanceID, l.cancelled
		_, err = s.cancelOwn(as(l.starter), in)
		return err
	}
	for i, d := range l.decisions {
		copied := ""
		if i == 0 {
			copied = l.copied
		}
		if err := s.demoDecide(as(d.who), row.ProcessInstanceID, d, org.Users[copied]); err != nil {
			return fmt.Errorf("%s: %w", d.who, err)
		}
	}
	return nil
}

func (s *Service) demoDecide(ctx context.Context, instance string, d demoDecision, copied int64) error {
	n, err := store.One[int64](ctx, sqlDemoOpenTask, store.Args{"instance": instance, "me": me(ctx)})
	if err != nil {
		return err
	}
	task := runtime.ExecutionID(instance, n)
	if copied > 0 {
		if _, err := s.copyTask(ctx, copyTaskIn{ID: task, CopyUserIDs: []int64{copied}, Reason: "请知悉并调整组会安排"}); err != nil {
			return err
		}
	}
	if d.rejected {
		_, err = s.rejectTask(ctx, rejectIn{ID: task, Reason: d.opinion})
		return err
	}
	_, err = s.approveTask(ctx, decisionIn{ID: task, Reason: d.opinion})
	return err
}

// demoUsers are the ids of all who have to do with an application.
func demoUsers(org identity.Organisation, l demoLeave) []int64 {
	ids := []int64{org.Users[l.starter]}
	for _, d := range l.decisions {
		ids = append(ids, org.Users[d.who])
	}
	return ids
}
