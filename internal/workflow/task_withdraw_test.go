package workflow

import (
	"testing"
	"time"
)

// TestWithdraw_several: of a task that several people decide, only the part of the one
// who withdraws opens again.
func TestWithdraw_several(t *testing.T) {
	eachDesk(t, func(t *testing.T, w *desk) {
		pass := w.travel()
		back := func(who, task string, code int) {
			t.Helper()
			pass(time.Second) // decisions are told apart by their time
			w.call(who, "PUT", "/task/withdraw?taskId="+task, nil, code)
		}
		begin := func(key, loop string) (id, ann, bob string) {
			t.Helper()
			w.publish(key, line(w.task("a", StrategyUser, "{ann},{bob},{cid}", loop), w.task("b", StrategyUser, "{dean}")))
			id = w.start(key, nil)
			ann = w.taskOf(id, "a", "ann")
			if loop != oneByOne {
				bob = w.taskOf(id, "a", "bob")
			}
			return id, ann, bob
		}

		id, ann, bob := begin("all", allSign)
		w.approve("ann", id, "a")
		w.approve("bob", id, "a")
		back("ann", ann, 0)
		w.want("beside the others", w.state(id), "a cid, a ann")
		back("ann", ann, errWithdrawLate.Num) // that decision is gone
		w.approve("cid", id, "a")
		w.want("counted again", w.state(id), "a ann")
		w.approve("ann", id, "a")
		w.want("all decided", w.state(id), "b dean")
		back("bob", bob, 0)
		w.want("afterwards", w.state(id), "a bob")
		w.approve("bob", id, "a")
		w.want("goes on", w.state(id), "b dean")
		w.approve("dean", id, "b")
		back("bob", bob, errWithdrawEnded.Num)

		id, ann, _ = begin("any", anyOne)
		w.approve("ann", id, "a")
		w.want("one is enough", w.state(id), "b dean")
		back("ann", ann, 0)
		w.want("with those no longer asked", w.state(id), "a ann, a bob, a cid")
		w.act("bob", "reject", w.taskOf(id, "a", "bob"), body{"reason": "no"}, 0)
		w.want("may be refused now", w.state(id), "ended 3")

		id, ann, _ = begin("turn", oneByOne)
		w.approve("ann", id, "a")
		w.want("next in turn", w.state(id), "a bob")
		back("ann", ann, 0)
		w.want("back in turn", w.state(id), "a ann")
		w.approve("ann", id, "a")
		bob = w.taskOf(id, "a", "bob")
		w.approve("bob", id, "a")
		back("ann", ann, errWithdrawLate.Num)
		back("bob", bob, 0)
		w.want("the second", w.state(id), "a bob")
		w.approve("bob", id, "a")
		w.approve("cid", id, "a")
		w.want("all in turn", w.state(id), "b dean")

		id, ann, bob = begin("late", allSign)
		for _, who := range []string{"ann", "bob", "cid"} {
			w.approve(who, id, "a")
		}
		w.approve("dean", id, "b")
		back("ann", ann, errWithdrawEnded.Num)
		id, ann, _ = begin("turned", oneByOne)
		w.approve("ann", id, "a")
		w.approve("bob", id, "a")
		back("ann", ann, errWithdrawTurn.Num)
		w.want("untouched", w.state(id), "a cid")
		_ = bob
		w.sound()
	})
}
