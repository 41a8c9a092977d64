package engine

import (
	"testing"
	"time"
)

func TestTimers(t *testing.T) {
	catch := func(timer string) string {
		return `
			start s: c
			catch c timer=` + timer + `: a
			user a: e
			end e`
	}
	runBehaviours(t, []behaviour{
		{"duration", catch("PT1H"), `start; at c; due c 3600; fire c; at a; jobs 0`},
		{"days", catch("P1D"), `start; due c 86400`},
		{"month end", catch("P1M"), `start; due c 2678400`},
		{"date with zone", catch("@2025-03-01T08:00+08:00"), `start; due c 0`},
		{"date from a variable", catch("@${when}"), `start when=2025-03-01T10:00:00Z; due c 36000`},
		{"duration as due date", catch("@PT10M"), `start; due c 600`},
		{"cycle in a catch event fires once", catch("R3/PT1H"), `start; fire c; at a; jobs 0`},
		{"cron", catch("0~0~12~*~*~?"), `start; due c 43200`},
		{"text is no duration", catch("${w}"), `start w=tomorrow; at c!; incidents expression; jobs 0; retry w=PT1S; at c; fire c; at a`},
		{"variable missing", catch("${w}"), `start; at c!`},
		{"expression over a bean", catch("PT${math.double(2)}H"), `start; due c 14400`},
		{"due time is fixed on entry", catch("${w}"), `start w=PT1H; set w=PT9H; due c 3600`},
		{"skipping the timer incident", catch("${w}"), `start w=x; skip -; at a`},
		{"failing job is tried again", catch("PT1H"), `start; wait PT1H; fail c; due c 3610; fail c; due c 3660; fail c; due c 4200; fail c; at c!; incidents job; jobs 1; retry; at c; fire c; at a`},
		{"skip of a failed timer", catch("PT1H"), `start; fail c; fail c; fail c; fail c; skip -; at a; jobs 0`},
		{"failing boundary job leaves the task open", `
			start s: a
			user a: e
			boundary b on=a timer=PT1H: e
			end e`, `start; fail b; fail b; fail b; fail b; at a; incidents job; open 1; done a; over; incidents`},
		{"stopped job is not fired", `
			start s: a
			user a: e
			boundary b on=a beside timer=R3/PT1H: e
			end e`, `start; fail b; fail b; fail b; fail b; ! fire b; ! fail b; incidents job; retry; fire b; at a; jobs 1`},
		{"retry of a boundary job", `
			start s: a
			user a: e
			boundary b on=a timer=PT1H: z
			user z: e
			end e`, `start; fail b; fail b; fail b; fail b; retry; fire b; at z`},
		{"skip of a boundary job", `
			start s: a
			user a: e
			boundary b on=a timer=PT1H: e
			end e`, `start; fail b; fail b; fail b; fail b; skip -; at a; jobs 0; done a; over`},
		{"ends with its instance", catch("PT1H"), `start; end 4; jobs 0; over 4`},
		{"suspended instance does not fire", catch("PT1H"), `start; suspend; ! fire c; resume; fire c; at a`},
		{"two timers", `
			start s: g
			and g: c d
			catch c timer=PT1H: j
			catch d timer=PT2H: j
			and j: e
			end e`, `start; jobs 2; fire d; fire c; over`},
		{"start by timer", `
			start s timer=PT1H: a
			user a: e
			end e`, `! start; startat s; at a`},
		{"task timeout listener", `
			start s: a
			user a task=timeout/log/PT1H: e
			end e`, `start; jobs 1; due a 3600; fire a; calls timeout a log; at a; jobs 0; done a; over`},
		{"task timeout goes with the task", `
			start s: a
			user a task=timeout/log/PT1H: e
			end e`, `start; done a; over; jobs 0; calls`},
		{"task timeout that throws", `
			start s: a
			user a task=timeout/fault:late/PT1H: e
			boundary b on=a err=late: z
			user z: e
			end e`, `start; fire a; at z; open 1`},
	})
}

func TestMessages(t *testing.T) {
	runBehaviours(t, []behaviour{
		{"catch", `
			start s: c
			catch c msg=hello: a
			user a: e
			end e`, `start; at c; subs 1; ! msg other; msg hello n=3; at a; subs 0; var n=3`},
		{"receive task with message", `
			start s: c
			receive c msg=hello: a
			user a: e
			end e`, `start; at c; msg hello; at a`},
		{"receive task without message", `
			start s: c
			receive c: a
			user a: e
			end e`, `start; at c; trigger c x=1; at a; var x=1`},
		{"throw", `
			start s: c
			throw c msg=hello: a
			user a: e
			end e`, `start; at a; effects MessageThrown TaskCreated`},
		{"end event with message", `
			start s: e
			end e msg=hello`, `start; over; effects MessageThrown InstanceEnded`},
		{"send task with message", `
			start s: c
			send c msg=hello: e
			end e`, `start; over; effects MessageThrown InstanceEnded`},
		{"send task with code", `
			start s: c
			send c class=log: e
			end e`, `start; over; calls c log`},
		{"start by message", `
			start s msg=hello: a
			user a: e
			end e`, `! start; startat s n=1; at a; var n=1`},
		{"two starts", `
			start s: a
			start m msg=hello: b
			user a: e
			user b: e
			end e`, `! startat nope; startat m; at b; done b; over`},
		{"none start among two", `
			start m msg=hello: b
			start s: a
			user a: e
			user b: e
			end e`, `start; at a`},
		{"message in a loop", `
			start s: m
			xor m: c
			catch c msg=hello: x
			xor x: m[${n<2}] e[*]
			end e`, `start n=0; msg hello n=1; at c; msg hello n=2; over`},
		{"delivered once", `
			start s: g
			and g: c d
			catch c msg=hello: j
			catch d msg=hello: j
			and j: e
			end e`, `start; subs 2; msg hello; subs 1; msg hello; over`},
	})
}

func TestSignals(t *testing.T) {
	runBehaviours(t, []behaviour{
		{"catch", `
			start s: c
			catch c sig=go: a
			user a: e
			end e`, `start; sig go n=1; at a; var n=1`},
		{"throw", `
			start s: c
			throw c sig=go: e
			end e`, `start; over; effects SignalThrown InstanceEnded`},
		{"end event with signal", `
			start s: e
			end e sig=go`, `start; over; effects SignalThrown InstanceEnded`},
		{"each subscriber gets its own delivery", `
			start s: g
			and g: c d
			catch c sig=go: a
			catch d sig=go: b
			user a: e
			user b: e
			end e`, `start; sig go; at a d; sig go; at a b`},
		{"thrown signal waits for its delivery", `
			start s: g
			and g: c t
			catch c sig=go: e
			throw t sig=go: e
			end e`, `start; at c; sig go; over`},
		{"late delivery is refused", `
			start s: c
			catch c sig=go: e
			end e`, `start; end 4; ! sig go`},
		{"start by signal", `
			start s sig=go: a
			user a: e
			end e`, `startat s; at a`},
	})
}

func TestLinks(t *testing.T) {
	runBehaviours(t, []behaviour{
		{"jump", `
			start s: t
			throw t link=L
			catch c link=L: a
			user a: e
			end e`, `start; at a; path s t c a`},
		{"several sources", `
			start s: x
			xor x: t[${n>1}] u[*]
			throw t link=L
			throw u link=L
			catch c link=L: a
			user a: e
			end e`, `start n=1; at a; path s x u c a`},
		{"backwards", `
			start s: c0
			xor c0: a
			catch c link=L: a
			user a: x
			xor x: t[${again}] e[*]
			throw t link=L
			end e`, `start again=true; done a; at a; done a again=false; over`},
		{"inside a sub-process", `
			start s: S
			sub S: e {
				start s1: t
				throw t link=L
				catch c link=L: a
				user a: e1
				end e1
			}
			end e`, `start; at a; done a; over`},
	})
}

func TestErrors(t *testing.T) {
	runBehaviours(t, []behaviour{
		{"end event caught outside", `
			start s: S
			sub S: e {
				start s1: x
				end x err=E1
			}
			boundary b on=S err=E1: z
			user z: e
			end e`, `start; at z; path s S s1 x b z`},
		{"end event cancels what runs beside", `
			start s: S
			sub S: e {
				start s1: g
				and g: a b
				user a: x
				user b: e1
				end x err=E1
				end e1
			}
			boundary b2 on=S err=E1: z
			user z: e
			end e`, `start; done a; at z; open 1`},
		{"end event nobody catches", `
			start s: a
			user a: x
			end x err=E1`, `start; done a; at x!; incidents error; skip -; over`},
		{"uncaught is retried at the handler", `
			start s: a
			service a class=faultonce:E1: e
			end e`, `start; at a!; incidents error; retry fixed=true; over`},
		{"fault in a bean of an expression", `
			start s: a
			service a expr=${math.fault()}: e
			boundary b on=a err=bean: z
			user z: e
			end e`, `start; at z`},
		{"fault in a condition", `
			start s: S
			sub S: e {
				start s1: x
				xor x: e1[${math.fault()}] e2[*]
				end e1
				end e2
			}
			boundary b on=S err=bean: z
			user z: e
			end e`, `start; at z`},
		{"plain failure fails the command", `
			start s: a
			user a: b
			service b class=break: e
			boundary c on=b err=: e
			end e`, `start; ! done a; at a; open 1`},
		{"child instance that fails ends", `
			start s: a
			service a class=fault:E1: e
			end e`, `startchild; over 4; effects InstanceEnded`},
		{"child instance catches its own", `
			start s: a
			service a class=fault:E1: e
			boundary b on=a err=E1: z
			user z: e
			end e`, `startchild; at z`},
		{"missing handler", `
			start s: a
			service a class=nobody: z
			user z: e
			end e`, `start; at a!; incidents handler; skip - v=1; at z; var v=1`},
		{"missing handler stays after a retry", `
			start s: a
			service a class=nobody: e
			end e`, `start; retry; at a!; incidents handler; end 4; over 4`},
		{"error in the start listener", `
			start s: a
			user a listen=start/fault:E1: e
			boundary b on=a err=E1: z
			user z: e
			end e`, `start; at z`},
		{"error in the end listener", `
			start s: a
			user a listen=end/fault:E1: e
			boundary b on=a err=E1: z
			user z: e
			end e`, `start; done a; at z`},
		{"error in a task listener", `
			start s: a
			user a task=complete/fault:E1: e
			boundary b on=a err=E1: z
			user z: e
			end e`, `start; done a; at z; open 1`},
		{"error in the create listener", `
			start s: a
			user a task=create/fault:E1: e
			boundary b on=a err=E1: z
			user z: e
			end e`, `start; at z; open 1`},
		{"uncaught error in the create listener", `
			start s: a
			user a task=create/faultonce:E1: e
			end e`, `start; at a!; open 0; retry fixed=true; at a; open 1; done a; over`},
		{"raise at a sub-process token", `
			start s: S
			sub S: e {
				start s1: a
				user a: e1
				end e1
			}
			boundary b on=S err=E1: z
			user z: e
			end e`, `start; raise S E1; at z`},
	})
}

func TestCallActivity(t *testing.T) {
	runBehaviours(t, []behaviour{
		{"waits for its child", `
			start s: a
			call a calls=other: z
			user z: e
			end e`, `start; at a; effects ChildWanted; child a; at z`},
		{"out mapping", `
			start s: a
			call a calls=other out=r>result out=${x+1}>y: z
			user z: e
			end e`, `start; child a r=5 x=6; var result=5; var y=7; var r=absent`},
		{"all out", `
			start s: a
			call a calls=other out=*: z
			user z: e
			end e`, `start; child a r=5 x=6; var r=5; var x=6`},
		{"missing child variable is null", `
			start s: a
			call a calls=other out=r>result: z
			user z: e
			end e`, `start r=9; child a; var result=null`},
		{"out expression sees the child only", `
			start s: a
			call a calls=other out=${n}>result: z
			user z: e
			end e`, `start n=9; child a; var result=null`},
		{"child error is caught", `
			start s: a
			call a calls=other: e
			boundary b on=a err=E1: z
			user z: e
			end e`, `start; childfault a E1; at z; var code=E1`},
		{"child error nobody catches, retry starts anew", `
			start s: a
			call a calls=other: e
			end e`, `start; childfault a E1; at a!; incidents error; retry; at a; effects ChildWanted; child a; over`},
		{"child error skipped", `
			start s: a
			call a calls=other: e
			end e`, `start; childfault a E1; skip -; over`},
		{"no double report", `
			start s: a
			call a calls=other: z
			user z: e
			end e`, `start; child a; ! child z`},
		{"cancelled with its caller", `
			start s: a
			call a calls=other: e
			end e`, `start; end 4; effects ChildUnwanted InstanceEnded`},
		{"name is evaluated", `
			start s: a
			call a calls=${which}: e
			end e`, `start which=x; at a`},
		{"name fails", `
			start s: a
			call a calls=${which+1}: e
			end e`, `start which=x; at a!; incidents expression; retry which=4; at a`},
		{"moved away", `
			start s: a
			call a calls=other: z
			user z: e
			end e`, `start; move a to z; effects ChildUnwanted TaskCreated; at z`},
		{"out mapping that fails", `
			start s: a
			call a calls=other out=${r+1}>y: e
			end e`, `start; child a r=x; at a!; incidents expression`},
		{"while suspended the child may report", `
			start s: a
			call a calls=other: z
			user z: e
			end e`, `start; suspend; child a; resume; at z`},
	})
}

func TestCallActivityRequest(t *testing.T) {
	p := newPlay(t, `
		start s: a
		call a calls=other in=n>m in=${n*2}>d in=*: e
		end e`)
	p.script(`start n=4 k=v`)
	want := p.last.Outbox[0].(ChildWanted)
	if want.Called != "other" || want.Depth != 1 || want.Binding != "latest" || want.Vars != `{"d":8,"k":"v","m":4,"n":4}` {
		t.Fatalf("%+v", want)
	}
	p = newPlay(t, `
		start s: a
		call a calls=other calledElementBinding=version calledElementVersion=${v}: e
		end e`)
	p.script(`start v=3`)
	if want = p.last.Outbox[0].(ChildWanted); want.Binding != "version" || want.Version != "3" {
		t.Fatalf("%+v", want)
	}
}

func TestCallDepth(t *testing.T) {
	p := newPlay(t, `
		start s: a
		call a calls=process: e
		end e`)
	if err := p.try(&Start{ID: "i", DefinitionID: "v1", Depth: MaxDepth}); err == nil || !ErrTooDeep.With().Is(err) {
		t.Fatalf("%v", err)
	}
	p.do(&Start{ID: "i", DefinitionID: "v1", Depth: MaxDepth - 1})
}

// A date without a zone is one of the location, and a day has its own length there.
func TestTimersFollowTheLocation(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Skip("no time zone data on this machine")
	}
	p := newPlay(t, `
		start s: g
		and g: c d
		catch c timer=@2025-03-29T12:00: e
		catch d timer=P1M: e
		end e`)
	p.env.Location = berlin
	p.at = time.Date(2025, 2, 28, 11, 0, 0, 0, time.UTC).UnixMilli()
	p.script(`start`)
	if due := p.job("c").DueAt; due != time.Date(2025, 3, 29, 11, 0, 0, 0, time.UTC).UnixMilli() {
		t.Errorf("date: %s", time.UnixMilli(due).UTC())
	}
	if due := p.job("d").DueAt; due != time.Date(2025, 3, 28, 11, 0, 0, 0, time.UTC).UnixMilli() {
		t.Errorf("month: %s", time.UnixMilli(due).UTC())
	}
}
