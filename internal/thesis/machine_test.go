package thesis

import (
	"testing"

	"pgregory.net/rapid"

	"viva/internal/kernel/errs"
)

func TestNextFollowsTheTable(t *testing.T) {
	for _, c := range []struct {
		event Event
		from  Status
		to    Status
		ok    bool
	}{
		{EvOpen, Locked, Open, true},
		{EvSaveDraft, Open, Draft, true},
		{EvSaveDraft, Returned, Returned, true},
		{EvSubmit, Returned, InApproval, true},
		{EvSubmit, InApproval, InApproval, false},
		{EvSubmit, Expired, Expired, false},
		{EvWithdraw, InApproval, Draft, true},
		{EvWithdraw, Passed, Passed, false},
		{EvPass, InApproval, Passed, true},
		{EvPass, Draft, Draft, false},
		{EvReject, InApproval, Failed, true},
		{EvExpire, InApproval, InApproval, false},
		{EvOverride, Expired, Open, true},
		{EvWaive, Passed, Passed, false},
		{EvChange, Passed, Passed, true},
		{EvChange, Draft, Draft, false},
	} {
		to, err := next(c.event, c.from)
		if to != c.to || (err == nil) != c.ok {
			t.Errorf("%s from %d: got %d, %v; want %d, ok=%v", c.event, c.from, to, err, c.to, c.ok)
		}
		if err != nil && !errs.Is(err, errState) {
			t.Errorf("%s from %d: error %v is not errState", c.event, c.from, err)
		}
	}
}

func TestFinalStatesOnlyLeaveByDeclaredMoves(t *testing.T) {
	for _, m := range moves {
		for _, from := range m.from {
			if (from == Failed || from == Waived || from == Withdrawn) && m.to != keep {
				t.Errorf("%s leaves the final status %d", m.event, from)
			}
			if from == Passed && m.to != keep {
				t.Errorf("%s changes a passed step", m.event)
			}
		}
	}
}

// TestDeclarationProperties walks random events over a declaration and checks what must
// hold in every reachable position.
func TestDeclarationProperties(t *testing.T) {
	events := []Event{EvSaveDraft, EvSubmit, EvWithdraw, EvChange, EvChangeWithdraw, EvExpire, EvOverride, EvMove, EvCancel, EvChangeCancel}
	verdicts := []Verdict{Approve, Return, Reject}
	rapid.Check(t, func(t *rapid.T) {
		third := rapid.Bool().Draw(t, "third")
		p := position{status: Open}
		levels := []Level{}
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			before := p
			event := rapid.SampledFrom(events).Draw(t, "event")
			if rapid.Bool().Draw(t, "decide") {
				chosen, err := approval(p, rapid.SampledFrom(verdicts).Draw(t, "verdict"), third)
				if err != nil {
					if p.level != LevelNone && !(p.level == LevelCollege && third) {
						t.Fatalf("level %d of %+v cannot decide: %v", p.level, p, err)
					}
					continue
				}
				event = chosen
			}
			n, err := advance(p, event)
			if err != nil {
				if n != before {
					t.Fatalf("a refused %s moved %+v to %+v", event, before, n)
				}
				continue
			}
			switch event {
			case EvSubmit, EvChange:
				levels = levels[:0]
			case EvApprove, EvPass, EvChangeApprove, EvChangePass:
				levels = append(levels, before.level)
			}
			if event == EvPass || event == EvChangePass {
				if want := int(last(third)); len(levels) != want {
					t.Fatalf("passed after levels %v, want %d", levels, want)
				}
			}
			p = n
			check(t, p, third)
		}
	})
}

func check(t *rapid.T, p position, third bool) {
	if (p.status == InApproval || p.audit == AuditChanging) != (p.level > LevelNone) {
		t.Fatalf("somebody must decide exactly while in approval: %+v", p)
	}
	if p.level > last(third) {
		t.Fatalf("no such level: %+v", p)
	}
	if (p.audit == AuditPassed || p.audit == AuditChanging) != (p.status == Passed) {
		t.Fatalf("declaration and step disagree: %+v", p)
	}
	if p.audit == AuditRejected && p.status != Failed {
		t.Fatalf("rejected but not failed: %+v", p)
	}
	if p.status == InApproval && Audit(p.level) != p.audit {
		t.Fatalf("audit state is not the level: %+v", p)
	}
}
