package engine

import (
	"strings"
	"testing"

	"viva/internal/workflow/bpmn"
)

// One model per control-flow pattern (van der Aalst et al., workflowpatterns.com).
// Patterns without an element of their own are shown by their construct.
func TestControlFlowPatterns(t *testing.T) {
	runBehaviours(t, []behaviour{
		{"01 sequence", `
			start s: a
			user a: b
			user b: e
			end e`, `start; at a; done a; at b; done b; over`},
		{"02 parallel split", `
			start s: g
			and g: a b
			user a: e
			user b: e
			end e`, `start; at a b`},
		{"03 synchronization", `
			start s: g
			and g: a b
			user a: j
			user b: j
			and j: c
			user c: e
			end e`, `start; done b; at a j|; done a; at c`},
		{"04 exclusive choice", `
			start s: x
			xor x: a[${v==1}] b[*]
			user a: e
			user b: e
			end e`, `start v=1; at a`},
		{"05 simple merge", `
			start s: x
			xor x: a[${v==1}] b[*]
			user a: m
			user b: m
			xor m: c
			user c: e
			end e`, `start v=2; done b; at c`},
		{"06 multi-choice", `
			start s: o
			or o: a[${v>1}] b[${v>2}] c[*]
			user a: e
			user b: e
			user c: e
			end e`, `start v=3; at a b`},
		{"07 structured synchronizing merge", `
			start s: o
			or o: a[${v>1}] b[${v>2}] c[${v>3}]
			user a: j
			user b: j
			user c: j
			or j: d
			user d: e
			end e`, `start v=3; done a; at b j|; done b; at d`},
		{"08 multi-merge", `
			start s: g
			and g: a b
			user a: c
			user b: c
			user c: e
			end e`, `start; done a; at b c; done b; at c c`},
		{"10 arbitrary cycles", `
			start s: m
			xor m: a
			xor n: b
			user a: x
			user b: y
			xor x: n[${v==1}] e[*]
			xor y: m[${v==1}] n[${v==2}] e[*]
			end e`, `start v=1; done a; at b; done b; at a; done a; at b; done b v=2; at b; done b v=0; over`},
		{"11 implicit termination", `
			start s: g
			and g: a b
			user a:
			user b:`, `start; done a; over running; done b; over`},
		{"12 multiple instances without synchronization, by a non-interrupting message", `
			start s: a
			user a: e
			boundary b on=a beside msg=more: i
			user i: ie
			end e
			end ie`, `start; msg more; msg more; msg more; at a i i i; done a; at i i i`},
		{"13 multiple instances with design-time knowledge", `
			start s: a
			user a count=3: b
			user b: e
			end e`, `start; at a a a; done a; done a; done a; at b`},
		{"14 multiple instances with run-time knowledge", `
			start s: a
			user a count=${v}: b
			user b: e
			end e`, `start v=2; at a a; done a; done a; at b`},
		{"15 multiple instances without a-priori knowledge", `
			start s: a
			user a count=1: b
			user b: e
			end e`, `start; add a x; add a y; at a a a; done a; done a; done a; at b`},
		{"16 deferred choice", `
			start s: g
			event g: m t
			catch m msg=go: a
			catch t timer=PT1H: b
			user a: e
			user b: e
			end e`, `start; msg go; at a; jobs 0`},
		{"18 milestone in part: a task that is open while a state lasts", `
			start s: a
			user a: b
			boundary x on=a msg=over: b
			user b: e
			end e`, `start; at a; msg over; at b; open 1`},
		{"19 cancel task", `
			start s: a
			user a: b
			boundary x on=a msg=cancel: b
			user b: e
			end e`, `start; msg cancel; at b`},
		{"20 cancel case", `
			start s: g
			and g: a S
			user a: e
			sub S: e {
				start s1: b
				user b: e1
				end e1
			}
			end e`, `start; end 4; over 4; open 0`},
		{"21 structured loop", `
			start s: a
			user a loop=${v}: e
			end e`, `start v=true; done a; at a; done a v=false; over`},
		{"23 transient trigger is lost when nobody waits", `
			start s: a
			user a: c
			catch c sig=go: e
			end e`, `start; ! sig go; done a; at c; sig go; over`},
		{"24 persistent trigger is consumed by the waiting token", `
			start s: c
			catch c msg=go: e
			end e`, `start; msg go; over; ! msg go`},
		{"25 cancel region", `
			start s: S
			sub S: e {
				start s1: g
				and g: a b
				user a: j
				user b: j
				and j: e1
				end e1
			}
			boundary x on=S msg=cancel: c
			user c: e
			end e`, `start; done a; msg cancel; at c; open 1`},
		{"26 cancel multiple-instance activity", `
			start s: a
			user a count=3: e
			boundary x on=a msg=cancel: c
			user c: e
			end e`, `start; done a; msg cancel; at c; open 1`},
		{"27 complete multiple-instance activity", `
			start s: a
			user a count=3 done=${enough}: c
			user c: e
			end e`, `start enough=false; done a; done a enough=true; at c; open 1`},
		{"29 cancelling discriminator, by terminate in a sub-process", `
			start s: S
			sub S: c {
				start s1: g
				and g: a b
				user a: x
				user b: x
				end x terminate
			}
			user c: e
			end e`, `start; done b; at c; open 1`},
		{"32 cancelling partial join, by multi-instance in a sub-process", `
			start s: S
			sub S all=${list} done=${nrOfCompletedInstances==2}: c {
				start s1: a
				user a: e1
				end e1
			}
			user c: e
			end e`, `start list=[1,2,3]; done a; done a; at c; open 1`},
		{"33 generalized AND-join", `
			start s: g
			and g: a b c
			user a: m
			user b: m
			user c: j
			xor m: j
			and j: d
			user d: e
			end e`, `start; done a; done b; at c j| j|; done c; at d j|`},
		{"34 static partial join for multiple instances, others may go on", `
			start s: g
			and g: a w
			user a count=3: e
			catch w msg=enough: c
			user c: e
			end e`, `start; done a; done a; msg enough; at a c`},
		{"35 cancelling partial join for multiple instances", `
			start s: a
			user a count=5 done=${nrOfCompletedInstances==2}: c
			user c: e
			end e`, `start; done a; done a; at c`},
		{"36 dynamic partial join for multiple instances", `
			start s: a
			user a count=2 done=${nrOfCompletedInstances>=need}: c
			user c: e
			end e`, `start need=3; add a x; done a; done a need=3; at a; done a; at c`},
		{"37 local synchronizing merge", `
			start s: o
			or o: a[${v>0}] b[${v>1}]
			user a: f
			user f: j
			user b: j
			or j: c
			user c: e
			end e`, `start v=2; done b; at a j|; done a; at f j|; done f; at c`},
		{"38 general synchronizing merge, through a loop", `
			start s: g
			and g: a m
			xor m: b
			user b: x
			xor x: m[${v}] j[*]
			user a: j
			or j: c
			user c: e
			end e`, `start v=true; done a; at b j|; done b; at b j|; done b v=false; at c`},
		{"42 thread split, by parallel flows", `
			start s: a
			user a: b b b
			user b: e
			end e`, `start; done a; at b b b`},
		{"43 explicit termination", `
			start s: g
			and g: a b
			user a: t
			user b: e
			end e
			end t terminate`, `start; done a; over; open 0`},
	})
}

// What the patterns 28 (blocking discriminator), 9, 30, 31 would need is refused at
// deployment; the same holds for 17 and 40, which need ad-hoc sub-processes.
func TestRefusedPatterns(t *testing.T) {
	for name, body := range map[string]string{
		"09, 28, 30, 31 complex gateway": `<bpmn:startEvent id="s"/><bpmn:complexGateway id="g"/><bpmn:endEvent id="e"/><bpmn:sequenceFlow id="f1" sourceRef="s" targetRef="g"/><bpmn:sequenceFlow id="f2" sourceRef="g" targetRef="e"/>`,
		"17, 40 ad-hoc sub-process":      `<bpmn:startEvent id="s"/><bpmn:adHocSubProcess id="g"><bpmn:task id="a"/></bpmn:adHocSubProcess><bpmn:endEvent id="e"/><bpmn:sequenceFlow id="f1" sourceRef="s" targetRef="g"/><bpmn:sequenceFlow id="f2" sourceRef="g" targetRef="e"/>`,
	} {
		text := strings.Replace(modelXML(""), "</bpmn:process>", body+"</bpmn:process>", 1)
		doc, err := bpmn.Decode([]byte(text))
		if err != nil {
			t.Fatal(name, err)
		}
		refused := false
		for _, p := range bpmn.Check(doc, nil) {
			refused = refused || p.Severity == bpmn.Error && p.ElementID == "g"
		}
		if !refused {
			t.Errorf("%s is not refused", name)
		}
	}
}

// Documented limits: threads of one flow are not merged (41), parallel branches are
// not kept from overlapping (39).
func TestLimitedPatterns(t *testing.T) {
	runBehaviours(t, []behaviour{
		{"41 thread merge", `
			start s: a
			user a: b b
			user b: m
			xor m: c
			user c: e
			end e`, `start; done a; done b; done b; at c c`},
		{"39 critical section", `
			start s: g
			and g: a b
			user a: e
			user b: e
			end e`, `start; at a b`},
	})
}
