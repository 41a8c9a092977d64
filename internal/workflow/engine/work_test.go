package engine

import "testing"

func TestServices(t *testing.T) {
	one := func(attrs string) string {
		return `
			start s: a
			service a ` + attrs + `: e
			end e`
	}
	runBehaviours(t, []behaviour{
		{"handler", one("class=inc"), `start n=1; over; var n=2; calls a inc`},
		{"delegate", one("delegateExpression=${inc}"), `start n=1; over; var n=2`},
		{"result variable of an expression", one("expr=${n*2} result=r"), `start n=4; over; var r=8`},
		{"expression with a bean", one("expr=${math.double(n)} result=r"), `start n=4; over; var r=8`},
		{"failing expression", one("expr=${n/0} result=r"), `start n=4; at a!; incidents expression; retry n=1; at a!; skip - r=0; over; var r=0`},
		{"set a variable by an expression", one("expr=${execution.setVariable('k',n+1)}"), `start n=4; over; var k=5`},
		{"business key", one("expr=${execution.businessKey} result=r"), `start; var r=B1`},
		{"element id", one("expr=${execution.currentActivityId} result=r"), `start; var r=a`},
		{"starter", one("expr=${initiator} result=r"), `start; var r=5`},
		{"clock", one("expr=${year(now())} result=r"), `start; var r=2025`},
		{"fields", one("class=set field=k=${n+1}"), `start n=4; var k=5`},
		{"call-back", one("class=later"), `start; at a; jobs 1; ! fire a; finish a x=1; over; var x=1`},
		{"call-back with a BPMN error", `
			start s: a
			service a class=later: e
			boundary b on=a err=E1: z
			user z: e
			end e`, `start; finishfault a E1; at z; jobs 0`},
		{"call-back with an uncaught error", one("class=later"), `start; finishfault a E1; at a!; retry; at a; jobs 1; finish a; over`},
		{"call-back that fails", one("class=later retry=R2/PT1M"), `start; fail a; due a 60; fail a; at a!; incidents job; retry; at a; finish a; over`},
		{"call-back skipped", one("class=later"), `start; fail a; fail a; fail a; fail a; skip - x=2; over; var x=2`},
		{"external worker", one("type=external topic=print"), `start; at a; jobs 1; finish a; over`},
		{"triggerable waits after the call", one("class=log triggerable=true"), `start; at a; calls a log; trigger a x=1; over; var x=1`},
		{"failure mapped to an error", `
			start s: a
			service a class=paper maps=E7/NoPaper: e
			boundary b on=a err=E7: z
			user z: e
			end e`, `start; at z; var code=E7`},
		{"failure that is not mapped", `
			start s: u
			user u: a
			service a class=break maps=E7/NoPaper: e
			boundary b on=a err=E7: e
			end e`, `start; ! done u; at u`},
		{"every failure mapped", `
			start s: a
			service a class=break maps=E7: e
			boundary b on=a err=E7: z
			user z: e
			end e`, `start; at z`},
		{"skip expression without its switch", one("class=inc skipExpression=${true}"), `start n=0; var n=1`},
		{"skip expression", one("class=inc skipExpression=${true}"), `start n=0 _FLOWABLE_SKIP_EXPRESSION_ENABLED=true; over; var n=0`},
		{"skip expression that is false", one("class=inc skipExpression=${n>0}"), `start n=0 _FLOWABLE_SKIP_EXPRESSION_ENABLED=true; var n=1`},
		{"call-back with a boundary timer", `
			start s: a
			service a class=later: e
			boundary b on=a timer=PT1H: z
			user z: e
			end e`, `start; jobs 2; fire b; at z; jobs 0`},
		{"inputs are local", `
			start s: a
			service a class=log take=k=${n+1}: e
			end e`, `start n=1; over; var k=absent`},
		{"outputs go outward", `
			start s: a
			user a take=k=${n+1} give=r=${k*10}: e
			end e`, `start n=1; done a; var r=20; var k=absent`},
		{"completing with a name of an input stays local", `
			start s: a
			user a take=k=${n}: e
			end e`, `start n=1; done a k=7; var k=absent; over`},
		{"input that fails", `
			start s: a
			user a take=k=${n+1}: e
			end e`, `start n=x; at a!; incidents expression; retry n=1; at a; done a; over`},
		{"output that fails", `
			start s: a
			user a give=k=${n+1}: e
			end e`, `start n=x; done a; at a!; retry n=1; over; var k=2`},
		{"script", `
			start s: a
			script a script=41 result=r: e
			end e`, `start; over; var r=41; var scripted=true`},
		{"decision", `
			start s: a
			rule a decisionRef=one mapDecisionResult=singleEntry result=r: e
			end e`, `start; over; var r=7`},
		{"decision, one row", `
			start s: a
			rule a decisionRef=one mapDecisionResult=singleResult result=r: e
			end e`, `start; over; var r={"x":7}`},
		{"decision, all entries", `
			start s: a
			rule a decisionRef=two mapDecisionResult=collectEntries result=r: e
			end e`, `start; var r=[7,1,8]`},
		{"decision, all rows", `
			start s: a
			rule a decisionRef=two result=r: e
			end e`, `start; var r=[{"x":7},{"a":1,"x":8}]`},
		{"decision with too many rows", `
			start s: a
			rule a decisionRef=two mapDecisionResult=singleEntry result=r: e
			end e`, `start; at a!; incidents expression`},
		{"unknown decision", `
			start s: a
			rule a decisionRef=none mapDecisionResult=singleEntry result=r: e
			end e`, `start; at a!; incidents handler`},
	})
}

func TestListeners(t *testing.T) {
	runBehaviours(t, []behaviour{
		{"order around a task", `
			start s: a
			user a listen=start/log listen=end/log task=create/log task=complete/log: e
			end e`, `start; calls start a log, create a log; done a; calls start a log, create a log, complete a log, end a log`},
		{"two of one event, in document order", `
			start s: a
			task a listen=start/log:1 listen=start/log:2: e
			end e`, `start; calls start a log:1, start a log:2`},
		{"assignment after create", `
			start s: a
			user a assignee=9 task=create/log task=assignment/log: e
			end e`, `start; calls create a log, assignment a log`},
		{"no assignment without assignee", `
			start s: a
			user a task=assignment/log: e
			end e`, `start; calls`},
		{"all events", `
			start s: a
			user a assignee=9 task=all/log: e
			end e`, `start; done a; calls create a log, assignment a log, complete a log`},
		{"delete on cancellation", `
			start s: a
			user a task=delete/log: e
			end e`, `start; end 4; calls delete a log`},
		{"listener changes a variable before the work", `
			start s: a
			service a listen=start/inc class=inc: e
			end e`, `start n=0; var n=2`},
		{"listener of a gateway", `
			start s: x
			xor x listen=start/inc: a[${n==1}] b[*]
			user a: e
			user b: e
			end e`, `start n=0; at a`},
		{"listener failure fails the command", `
			start s: a
			user a: b
			task b listen=start/break: e
			end e`, `start; ! done a; at a; open 1; calls start b break`},
		{"failing task listener", `
			start s: a
			user a task=complete/break: e
			end e`, `start; ! done a; at a; open 1`},
		{"missing listener stalls", `
			start s: a
			user a listen=start/nobody: e
			end e`, `start; at a!; incidents handler; skip -; over`},
		{"missing task listener fails the command", `
			start s: b
			user b: a
			user a task=create/nobody: e
			end e`, `start; ! done b; at b`},
		{"per item of a multi-instance", `
			start s: a
			user a all=${list} listen=start/log listen=end/log: e
			end e`, `start list=[1,2]; done a; done a; calls start a log, start a log, end a log, end a log`},
		{"of a sub-process", `
			start s: S
			sub S listen=start/log listen=end/log: e {
				start s1: a
				user a: e1
				end e1
			}
			end e`, `start; done a; calls start S log, end S log`},
		{"of start and end events", `
			start s listen=end/log: e
			end e listen=start/log`, `start; calls end s log, start e log`},
		{"cancelled visits see delete", `
			start s: S
			sub S listen=end/log: e {
				start s1: a
				user a listen=end/log task=delete/log: e1
				end e1
			}
			end e`, `start; end 4; calls delete a log, delete a log, delete S log`},
		{"fault in a cancel listener fails the command", `
			start s: a
			user a listen=end/fault:E: e
			end e`, `start; ! end 4; at a`},
	})
}

func TestAsync(t *testing.T) {
	runBehaviours(t, []behaviour{
		{"before", `
			start s: a
			user a async=before: e
			end e`, `start; at a; open 0; jobs 1; path s; fire a; open 1; jobs 0; path s a`},
		{"after", `
			start s: a
			user a async=after: z
			user z: e
			end e`, `start; done a; at a; open 0; jobs 1; path s a; fire a; at z`},
		{"both", `
			start s: a
			service a async=both class=inc: e
			end e`, `start n=0; var n=0; fire a; var n=1; jobs 1; fire a; over`},
		{"start event", `
			start s async=after: a
			user a: e
			end e`, `start; at s; fire s; at a`},
		{"gateway", `
			start s: x
			xor x async=before: a[${n==1}] b[*]
			user a: e
			user b: e
			end e`, `start n=0; set n=1; fire x; at a`},
		{"join", `
			start s: g
			and g: a b
			user a: j
			user b: j
			and j async=before: z
			user z: e
			end e`, `start; done a; done b; at j j; jobs 2; fire j; at j j|; fire j; at z`},
		{"end event", `
			start s: e
			end e async=before`, `start; at e; fire e; over`},
		{"multi-instance as a whole", `
			start s: a
			user a all=${list} async=before: e
			end e`, `start list=[1,2]; at a; jobs 1; fire a; at a a; open 2`},
		{"sub-process", `
			start s: S
			sub S async=both: e {
				start s1: a
				user a: e1
				end e1
			}
			end e`, `start; at S; fire S; at a; done a; at S; fire S; over`},
		{"call activity", `
			start s: a
			call a calls=x async=before: e
			end e`, `start; jobs 1; fire a; effects ChildWanted; child a; over`},
		{"tries run out", `
			start s: a
			service a async=before class=break: e
			end e`, `start; ! fire a; fail a; due a 10; fail a; due a 60; fail a; due a 600; fail a; at a!; incidents job; skip -; over; jobs 0`},
		{"own retry cycle", `
			start s: a
			service a async=before class=log retry=R3/PT5M: e
			end e`, `start; fail a; due a 300; fail a; due a 300; fail a; at a!; retry; at a; fire a; over`},
		{"list of waits", `
			start s: a
			service a async=before class=log retry=PT1M,PT2M: e
			end e`, `start; fail a; due a 60; fail a; due a 120; fail a; at a!`},
		{"after, exhausted and skipped", `
			start s: a
			service a async=after class=log: z
			user z: e
			end e`, `start; fail a; fail a; fail a; fail a; skip -; at z`},
		{"cancelled", `
			start s: a
			service a async=before class=log: e
			end e`, `start; end 4; jobs 0; over 4`},
		{"no second execution", `
			start s: a
			user a async=before: e
			end e`, `start; fire a; jobs 0`},
		{"in a branch", `
			start s: g
			and g: a b
			service a async=before class=log: j
			user b: j
			and j: e
			end e`, `start; done b; at a j|; fire a; over`},
		{"endless loop of passing tasks", `
			start s: u
			user u: m
			xor m: a
			task a: m
			end e`, `start; ! done u; at u; open 1`},
		{"endless loop with a pause", `
			start s: m
			xor m: a
			task a async=before: m
			end e`, `start; fire a; fire a; at a; jobs 1; end 4`},
	})
}

func TestLimits(t *testing.T) {
	p := newPlay(t, `
		start s: m
		xor m: g
		and g: m a
		user a: e
		end e`)
	err := p.try(&Start{ID: "i1", DefinitionID: "v1"})
	if err == nil || !(ErrTooWide.With().Is(err) || ErrTooLong.With().Is(err)) {
		t.Fatalf("a splitting loop: %v", err)
	}
	p = newPlay(t, `
		start s: a
		task a: e
		end e`)
	p.env.Visits = MaxVisits - 2
	if err := p.try(&Start{ID: "i1", DefinitionID: "v1"}); err == nil || !ErrTooLong.With().Is(err) {
		t.Fatalf("the visits of the whole action count: %v", err)
	}
}

func TestIncidentsAndLife(t *testing.T) {
	simple := `
		start s: a
		user a: z
		user z: e
		end e`
	runBehaviours(t, []behaviour{
		{"suspend refuses decisions", simple, `start; suspend; ! done a; ! suspend; resume; ! resume; done a; at z`},
		{"a suspended instance may be ended", simple, `start; suspend; end 4; over 4`},
		{"nothing after the end", simple, `start; end 3; over 3; ! end 4; ! set n=1; ! suspend`},
		{"no second start", simple, `start; ! start`},
		{"set and remove variables", simple, `start n=1; set n=2 k=3; var n=2; var k=3`},
		{"cancel the only token completes", simple, `start; cancel a; over`},
		{"cancel one of two", `
			start s: g
			and g: a b
			user a: e
			user b: e
			end e`, `start; cancel a; at b; open 1; done b; over`},
		{"cancel in a sub-process completes it", `
			start s: S
			sub S: z {
				start s1: a
				user a: e1
				end e1
			}
			user z: e
			end e`, `start; cancel a; at z`},
		{"cancel the sub-process itself", `
			start s: g
			and g: S b
			sub S: e {
				start s1: a
				user a: e1
				end e1
			}
			user b: e
			end e`, `start; cancel S; at b; open 1`},
		{"cancel a token and its parent in one list", `
			start s: g
			and g: S b
			sub S: e {
				start s1: a
				user a: e1
				end e1
			}
			user b: e
			end e`, `start; cancel S,a; at b`},
		{"skip a flow incident on an item is for its task", `
			start s: a
			user a all=${list} done=${x>1}: e
			end e`, `start list=[1]; done a; at a!; incidents expression; retry x=0; over`},
	})
}

// A call-back job carries what its handler needs, and its id as idempotency key.
func TestWorkOfACallback(t *testing.T) {
	p := newPlay(t, `
		start s: a
		service a class=later field=k=${n+1}: e
		end e`)
	p.script(`start n=4`)
	job := p.job("a").ID
	inv, err := Work(p.g, p.st, job, Command{At: p.at}, p.env)
	if err != nil || inv.Handler != "later" || inv.Fields["k"] != int64(5) || inv.Job != job || inv.Node.ID != "a" {
		t.Fatalf("%+v, %v", inv, err)
	}
	if v, ok := inv.Variable("n"); !ok || v != int64(4) {
		t.Fatalf("%v %v", v, ok)
	}
	if _, err := Work(p.g, p.st, 999, Command{}, p.env); err == nil {
		t.Fatal("work of a job that does not exist")
	}
}
