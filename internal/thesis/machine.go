package thesis

import (
	"slices"

	"viva/internal/kernel/errs"
)

// Status is the state of a step (dictionary thesis_step_status).
type Status int

// The states of a step.
const (
	Locked             Status = 0
	Open               Status = 1
	Draft              Status = 2
	InApproval         Status = 3
	Returned           Status = 4
	Running            Status = 5
	ResultPending      Status = 6
	Passed             Status = 7
	PassedWithRevision Status = 8
	Failed             Status = 9
	Expired            Status = 10
	Withdrawn          Status = 11
	Waived             Status = 12
)

// Done reports whether later steps may build on this one.
func (s Status) Done() bool { return s == Passed || s == Waived }

// Final reports whether no event but a new attempt can follow.
func (s Status) Final() bool { return s == Passed || s == Failed || s == Waived || s == Withdrawn }

// Event is what happens to a step; the names are those of the wire and the history.
type Event string

// The events of the record service.
const (
	EvOpen           Event = "open"
	EvAutoPass       Event = "autoPass"
	EvSaveDraft      Event = "saveDraft"
	EvSubmit         Event = "submit"
	EvWithdraw       Event = "withdraw"
	EvApprove        Event = "approveTask"
	EvPass           Event = "pass"
	EvRun            Event = "run"
	EvReturn         Event = "returnTask"
	EvReject         Event = "rejectTask"
	EvRecordResult   Event = "recordResult"
	EvConfirm        Event = "confirmResult"
	EvConfirmRevise  Event = "confirmWithRevision"
	EvConfirmFail    Event = "confirmFailure"
	EvAcceptRevision Event = "acceptRevision"
	EvExpire         Event = "expire"
	EvOverride       Event = "override"
	EvWaive          Event = "waive"
	// Events from the process, when somebody moves it outside of this module.
	EvMove     Event = "moveProcess"
	EvMoveBack Event = "moveBackProcess" // to a level before: what was approved counts no more
	EvCancel   Event = "cancelProcess"
	// Events of a passed declaration whose title changes; the step stays passed.
	EvChange         Event = "changeTitle"
	EvChangeApprove  Event = "approveChange"
	EvChangePass     Event = "passChange"
	EvChangeRefuse   Event = "refuseChange"
	EvChangeWithdraw Event = "withdrawChange"
	EvChangeCancel   Event = "cancelChange"
)

// keep stands for "the same status as before".
const keep Status = -1

// move is one row of the transition table.
type move struct {
	event Event
	from  []Status
	to    Status
}

// moves is the whole life of a step. A pair of event and status that is not here is refused.
var moves = []move{
	{EvOpen, []Status{Locked, Expired}, Open},
	{EvAutoPass, []Status{Locked, Open}, Passed},
	{EvSaveDraft, []Status{Open, Draft}, Draft},
	{EvSaveDraft, []Status{Returned}, Returned},
	{EvSubmit, []Status{Open, Draft, Returned}, InApproval},
	{EvWithdraw, []Status{InApproval}, Draft},
	{EvApprove, []Status{InApproval}, InApproval},
	{EvPass, []Status{InApproval}, Passed},
	{EvRun, []Status{InApproval}, Running},
	{EvReturn, []Status{InApproval}, Returned},
	{EvReject, []Status{InApproval}, Failed},
	{EvRecordResult, []Status{Running}, ResultPending},
	{EvConfirm, []Status{ResultPending}, Passed},
	{EvConfirmRevise, []Status{ResultPending}, PassedWithRevision},
	{EvConfirmFail, []Status{ResultPending}, Failed},
	{EvAcceptRevision, []Status{PassedWithRevision}, Passed},
	{EvExpire, []Status{Open, Draft, Returned}, Expired},
	{EvOverride, []Status{Expired}, Open},
	{EvWaive, []Status{Locked, Open}, Waived},
	{EvMove, []Status{InApproval, Passed}, keep},
	{EvMoveBack, []Status{InApproval, Passed}, keep},
	{EvCancel, []Status{InApproval}, Draft},
	{EvChange, []Status{Passed}, keep},
	{EvChangeApprove, []Status{Passed}, keep},
	{EvChangePass, []Status{Passed}, keep},
	{EvChangeRefuse, []Status{Passed}, keep},
	{EvChangeWithdraw, []Status{Passed}, keep},
	{EvChangeCancel, []Status{Passed}, keep},
}

var (
	errState = errs.Define(1070001003, errs.Conflict, "当前状态不允许该操作：{}", "The current state does not allow this: {}")
	// errHandled has the code of errState too: somebody else was faster.
	errHandled = errs.Code{Num: errState.Num, Kind: errs.Conflict, Zh: "该申请已由 {} 处理，请刷新列表", En: "{} has already handled this; reload the list"}
)

// next applies an event to a status.
func next(event Event, from Status) (Status, error) {
	for _, m := range moves {
		if m.event == event && slices.Contains(m.from, from) {
			if m.to == keep {
				return from, nil
			}
			return m.to, nil
		}
	}
	return from, errState.With(string(event))
}

// can reports whether the table has a row for the pair.
func can(event Event, from Status) bool {
	_, err := next(event, from)
	return err == nil
}

// Audit is the state of a declaration (dictionary student_subject_audit_state).
type Audit int

// The states of a declaration.
const (
	AuditDraft     Audit = 0
	AuditAdvisor   Audit = 1
	AuditCollege   Audit = 2
	AuditGraduate  Audit = 3
	AuditPassed    Audit = 4
	AuditReturned  Audit = 5
	AuditRejected  Audit = 6
	AuditWithdrawn Audit = 7
	AuditChanging  Audit = 8
)

// Level is who decides next: 0 nobody, 1 advisor, 2 college, 3 degree office.
type Level int

// The levels of approval.
const (
	LevelNone     Level = 0
	LevelAdvisor  Level = 1
	LevelCollege  Level = 2
	LevelGraduate Level = 3
)

// last is the level of the final approval.
func last(thirdLevel bool) Level {
	if thirdLevel {
		return LevelGraduate
	}
	return LevelCollege
}

// position is where a declaration stands.
type position struct {
	status Status
	audit  Audit
	level  Level
}

// advance is the life of a declaration beside the step's: it gives the new position for
// an event, or errState. The event of an approval at the last level is EvPass (or
// EvChangePass); approval() chooses it. Which level follows an approval is what the
// standard diagram says; where the process of a school goes elsewhere, follow() corrects
// it.
func advance(p position, event Event) (position, error) {
	status, err := next(event, p.status)
	if err != nil {
		return p, err
	}
	changing := p.audit == AuditChanging
	refused := errState.With(string(event))
	n := position{status: status}
	switch event {
	case EvSaveDraft:
		n.audit = AuditDraft
		if p.audit == AuditReturned {
			n.audit = AuditReturned
		}
	case EvSubmit:
		n.audit, n.level = AuditAdvisor, LevelAdvisor
	case EvWithdraw:
		if p.level != LevelAdvisor {
			return p, refused
		}
		n.audit = AuditWithdrawn
	case EvApprove:
		if p.level == LevelNone {
			return p, refused
		}
		n.level = p.level + 1
		n.audit = Audit(n.level)
	case EvMove, EvMoveBack:
		if p.status == Passed && !changing {
			return p, refused
		}
		n.audit, n.level = p.audit, p.level
	case EvCancel:
		n.audit = AuditWithdrawn
	case EvPass:
		n.audit = AuditPassed
	case EvReturn:
		n.audit = AuditReturned
	case EvReject:
		n.audit = AuditRejected
	case EvChange:
		if p.audit != AuditPassed {
			return p, refused
		}
		n.audit, n.level = AuditChanging, LevelAdvisor
	case EvChangeApprove:
		if !changing {
			return p, refused
		}
		n.audit, n.level = AuditChanging, p.level+1
	case EvChangePass, EvChangeRefuse, EvChangeCancel:
		if !changing {
			return p, refused
		}
		n.audit = AuditPassed
	case EvChangeWithdraw:
		if !changing || p.level != LevelAdvisor {
			return p, refused
		}
		n.audit = AuditPassed
	case EvExpire, EvOverride, EvOpen:
		n.audit = p.audit
	default:
		return p, refused
	}
	return n, nil
}

// approval chooses the event of an approver's verdict.
func approval(p position, verdict Verdict, thirdLevel bool) (Event, error) {
	changing, final := p.audit == AuditChanging, p.level == last(thirdLevel)
	switch {
	case p.level == LevelNone:
		return "", errState.With(string(verdict))
	case verdict == Approve && changing && final:
		return EvChangePass, nil
	case verdict == Approve && changing:
		return EvChangeApprove, nil
	case verdict == Approve && final:
		return EvPass, nil
	case verdict == Approve:
		return EvApprove, nil
	case verdict == Return && !changing:
		return EvReturn, nil
	case verdict == Reject && !changing && (final || p.level == LevelAdvisor):
		return EvReject, nil
	case changing && (verdict == Return || verdict == Reject):
		return EvChangeRefuse, nil
	}
	return "", errState.With(string(verdict))
}

// Verdict is an approver's answer.
type Verdict string

// The verdicts.
const (
	Approve Verdict = "approve"
	Return  Verdict = "return"
	Reject  Verdict = "reject"
)
