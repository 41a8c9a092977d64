package engine

import (
	"strconv"
	"strings"
	"testing"
)

func TestParallelMultiInstance(t *testing.T) {
	all := `
		start s: a
		user a all=${list} as=x: z
		user z: e
		end e`
	ratio := `
		start s: a
		user a all=${list} as=x done=${nrOfCompletedInstances/nrOfInstances>=0.6}: z
		user z: e
		end e`
	runBehaviours(t, []behaviour{
		{"all must be done", all, `start list=[1,2,3]; at a a a; open 3; done a#2; at a a; done a; done a; at z; done z; over`},
		{"one item", all, `start list=[1]; done a; at z`},
		{"empty collection", all, `start list=[]; at z`},
		{"comma list", all, `start list=u1,u2; at a a`},
		{"empty text", all, `start list=; at z`},
		{"collection missing", all, `start; at a!; incidents expression; retry list=[1]; at a; done a; at z`},
		{"collection of the wrong type", all, `start list=5; at a!; incidents expression`},
		{"null collection", all, `start list=null; at a!; skip -; at z`},
		{"bare name of a variable", `
			start s: a
			user a all=list as=x: e
			end e`, `start list=[1,2]; at a a`},
		{"collection from a bean", `
			start s: a
			user a all=${math.setlist()} as=x assignee=${x}: e
			end e`, `start; at a a`},
		{"cardinality", `
			start s: a
			user a count=3: e
			end e`, `start; at a a a`},
		{"cardinality from a variable", `
			start s: a
			user a count=${n}: e
			end e`, `start n=2; at a a; done a; done a; over`},
		{"cardinality zero", `
			start s: a
			user a count=${n}: e
			end e`, `start n=0; over`},
		{"cardinality as text", `
			start s: a
			user a count=${n}: e
			end e`, `start n="2"; at a a`},
		{"cardinality negative", `
			start s: a
			user a count=${n}: e
			end e`, `start n=-1; at a!; incidents expression; retry n=1; at a`},
		{"cardinality above the cap", `
			start s: a
			user a count=${n}: e
			end e`, `start n=1001; at a!; incidents expression`},
		{"ratio reached cancels the others", ratio, `start list=[1,2,3]; done a; at a a; done a; at z; open 1`},
		{"ratio exact", ratio, `start list=[1,2,3,4,5]; done a; done a; at a a a; done a; at z`},
		{"first one wins", `
			start s: a
			user a all=${list} done=${nrOfCompletedInstances>0}: e
			end e`, `start list=[1,2,3]; done a#2; over`},
		{"condition over a process variable", `
			start s: a
			user a all=${list} done=${veto}: z
			user z: e
			end e`, `start list=[1,2,3] veto=false; done a; at a a; done a veto=true; at z`},
		{"condition that fails to evaluate", `
			start s: a
			user a all=${list} done=${quota>1}: z
			user z: e
			end e`, `start list=[1,2]; done a; at a! a; incidents expression; retry quota=0; at a; done a; at z`},
		{"collection is copied at the start", all, `start list=[1,2]; set list=[1,2,3]; done a; done a; at z`},
		{"element variable is local", `
			start s: a
			user a all=${list} as=x: e
			end e`, `start list=[1,2]; var x=absent; done a; done a; var x=absent; over`},
		{"service task in parallel", `
			start s: a
			service a all=${list} as=x class=inc: e
			end e`, `start list=[1,2,3] n=0; over; var n=3; path s a a a e`},
		{"add an item", all, `start list=[1]; add a 2; at a a; done a; at a; done a; at z`},
		{"add an item counts for the ratio", ratio, `start list=[1]; add a 2; done a; at a`},
		{"remove an item", all, `start list=[1,2]; remove a#2; at a; done a; at z`},
		{"remove the last item", all, `start list=[1]; remove a#2; at z`},
		{"removal can satisfy the ratio", ratio, `start list=[1,2]; done a; at a; remove a#2; at z`},
		{"removal without completion does not test", `
			start s: a
			user a all=${list} done=${nrOfCompletedInstances>=nrOfActiveInstances-1}: z
			user z: e
			end e`, `start list=[1,2]; remove a#2; at a`},
		{"no add to a finished body", all, `start list=[1]; done a; ! add z 2`},
		{"no removal of what is no item", all, `start list=[1]; done a; ! remove z`},
		{"cancelled instance", all, `start list=[1,2,3]; end 4; over 4; open 0`},
		{"flows behind are taken once", `
			start s: a
			user a all=${list}: x
			xor x: e
			end e`, `start list=[1,2]; done a; done a; path s a a x e; over`},
		{"in a loop of the process", `
			start s: m
			xor m: a
			user a all=${list}: x
			xor x: m[${again}] e[*]
			end e`, `start list=[1,2] again=true; done a; done a; at a a; done a again=false; done a; over`},
		{"boundary timer interrupts all items", `
			start s: a
			user a all=${list}: e
			boundary b on=a timer=PT1H: z
			user z: e
			end e`, `start list=[1,2]; jobs 1; fire b; at z; open 1; jobs 0`},
		{"boundary timer beside the items", `
			start s: a
			user a all=${list}: e
			boundary b on=a beside timer=PT1H: z
			user z: e
			end e`, `start list=[1,2]; fire b; at a a z; done a; done a; done z; over`},
		{"boundary goes with the last item", `
			start s: a
			user a all=${list}: e
			boundary b on=a timer=PT1H: z
			user z: e
			end e`, `start list=[1,2]; done a; jobs 1; done a; jobs 0; over`},
		{"fault of an item reaches the boundary of the activity", `
			start s: a
			service a all=${list} as=x class=fault:E1: e
			boundary b on=a err=E1: z
			user z: e
			end e`, `start list=[1,2]; at z`},
		{"fault of an item nobody catches", `
			start s: a
			service a all=${list} as=x class=fault:E1: e
			end e`, `start list=[1,2]; at a! a!; incidents error error; skip -; at a!; skip -; over`},
		{"sub-process per item", `
			start s: S
			sub S all=${list} as=x: z {
				start s1: a
				user a: b
				user b: e1
				end e1
			}
			user z: e
			end e`, `start list=[1,2]; at a a; done a#1; at a b; done b; at a; done a; done b; at z; done z; over`},
		{"sub-process with a condition", `
			start s: S
			sub S all=${list} done=${nrOfCompletedInstances>=1}: z {
				start s1: a
				user a: e1
				end e1
			}
			user z: e
			end e`, `start list=[1,2,3]; done a; at z; open 1`},
		{"nested", `
			start s: S
			sub S all=${outer} as=o: e {
				start s1: a
				user a all=${inner} as=i: e1
				end e1
			}
			end e`, `start outer=[1,2] inner=[1,2]; at a a a a; done a; done a; at a a; done a; done a; over`},
		{"terminate in an item ends that item", `
			start s: S
			sub S all=${list}: z {
				start s1: g
				and g: a b
				user a: e1
				user b: e2
				end e1 terminate
				end e2
			}
			user z: e
			end e`, `start list=[1,2]; done a; at a b; done b; done a; at z`},
		{"call activity per item", `
			start s: a
			call a all=${list} as=x calls=other in=x>y: e
			end e`, `start list=[1,2]; at a a; effects ChildWanted ChildWanted; child a#2; at a; child a#2; over`},
		{"jump out of the body", all, `start list=[1,2]; move a to z; at z; open 1`},
		{"jump of one item is refused", all, `start list=[1,2]; ! move a#2 to z; ! cancel a#2`},
		{"skip of a waiting item by its task", all, `start list=[1,2]; done a; at a`},
	})
}

func TestSequentialMultiInstance(t *testing.T) {
	each := `
		start s: a
		user a each=${list} as=x: z
		user z: e
		end e`
	runBehaviours(t, []behaviour{
		{"one after the other", each, `start list=[1,2,3]; at a; done a; at a; done a; at a; done a; at z; path s a a a z`},
		{"empty", each, `start list=[]; at z`},
		{"condition stops early", `
			start s: a
			user a each=${list} as=x done=${nrOfCompletedInstances==2}: z
			user z: e
			end e`, `start list=[1,2,3]; done a; done a; at z`},
		{"cardinality", `
			start s: a
			user a each= count=2: e
			end e`, `start; at a; done a; at a; done a; over`},
		{"add at the end", each, `start list=[1]; add a 2; at a; done a; at a; done a; at z`},
		{"remove the current one", each, `start list=[1,2]; remove a#2; at a; done a; at z`},
		{"remove the last one", each, `start list=[1]; remove a#2; at z`},
		{"service tasks in one go", `
			start s: a
			service a each=${list} as=x class=inc: e
			end e`, `start list=[1,2,3] n=0; over; var n=3`},
		{"a fault stops the rest", `
			start s: a
			service a each=${list} as=x class=fault:E: e
			boundary b on=a err=: z
			user z: e
			end e`, `start list=[1,2,3]; at z; path s a b z; var code=E`},
		{"sub-process", `
			start s: S
			sub S each=${list} as=x: e {
				start s1: a
				user a: e1
				end e1
			}
			end e`, `start list=[1,2]; at a; done a; at a; done a; over`},
		{"interrupted", `
			start s: a
			user a each=${list} as=x: e
			boundary b on=a msg=stop: z
			user z: e
			end e`, `start list=[1,2]; done a; msg stop; at z; subs 0`},
		{"cancelled", each, `start list=[1,2,3]; done a; end 3; over 3`},
	})
}

func TestLoopVariables(t *testing.T) {
	p := newPlay(t, `
		start s: a
		user a all=${list} as=x assignee=${loopCounter}${nrOfInstances}${nrOfActiveInstances}${nrOfCompletedInstances}: b
		user b: e
		end e`)
	p.script(`start list=["u1","u2"]`)
	var got []string
	for _, k := range p.st.Tasks {
		got = append(got, strconv.FormatInt(k.AssigneeID, 10))
	}
	if s := strings.Join(got, " "); s != "220 1220" {
		t.Fatalf("assignees %s", s)
	}
	if x := string(p.st.Token(p.st.Tasks[1].Token).Vars); x != `{"x":"u2"}` {
		t.Fatalf("locals of the second item: %s", x)
	}
	p.script(`done a; at a`)
	body := p.token("a")
	if body.Counters.Active != 1 || body.Counters.Completed != 1 || body.Counters.Total != 2 {
		t.Fatalf("%+v", body.Counters)
	}
}

// The approval layer gives the people of a node instead of the modelled collection.
func TestItemsOfTheApprovalLayer(t *testing.T) {
	p := newPlay(t, `
		start s: a
		user a all=${nothing} as=x: e
		end e`)
	p.env.Items = func(i Invocation) ([]any, bool, error) { return []any{int64(11), int64(12)}, i.Node.ID == "a", nil }
	p.script(`start; at a a`)
	if v := p.st.Token(p.st.Tasks[1].Token).Vars; v != `{"x":12}` {
		t.Fatalf("%s", v)
	}
	p.script(`done a; done a; over`)
	p.replay()
}

func TestManyApprovers(t *testing.T) {
	p := newPlay(t, `
		start s: a
		user a count=100: e
		end e`)
	p.script(`start; open 100`)
	for range 100 {
		p.do(&CompleteTask{Task: p.st.Tasks[0].ID})
	}
	p.script(`over`)
}

func TestStandardLoop(t *testing.T) {
	runBehaviours(t, []behaviour{
		{"until the condition is false", `
			start s: a
			user a loop=${again}: e
			end e`, `start again=true; done a; at a; done a again=false; over; path s a a e`},
		{"maximum", `
			start s: a
			user a loop=${true} max=3: e
			end e`, `start; done a; done a; done a; over`},
		{"maximum alone", `
			start s: a
			service a max=4 class=inc: e
			end e`, `start n=0; over; var n=4`},
		{"tested before and false", `
			start s: a
			user a loop=${n>0} first: e
			end e`, `start n=0; over; path s e`},
		{"tested before and true", `
			start s: a
			service a loop=${n<3} first class=inc: e
			end e`, `start n=0; over; var n=3`},
		{"loopCounter", `
			start s: a
			service a loop=${loopCounter<4} class=inc: e
			end e`, `start n=0; over; var n=4`},
		{"condition fails", `
			start s: a
			user a loop=${again>1}: e
			end e`, `start; done a; at a!; retry again=0; over`},
		{"cap without maximum", `
			start s: a
			service a loop=${true} class=inc: e
			end e`, `start n=0; over; var n=1000`},
		{"boundary timer spans the rounds", `
			start s: a
			user a loop=${true} max=3: e
			boundary b on=a timer=PT1H: z
			user z: e
			end e`, `start; due b 3600; wait PT10M; done a; jobs 1; due b 3600; fire b; at z`},
		{"sub-process in a loop", `
			start s: S
			sub S loop=${n<2}: e {
				start s1: a
				service a class=inc: e1
				end e1
			}
			end e`, `start n=0; over; var n=2`},
		{"runs again after another entry", `
			start s: m
			xor m: a
			service a max=2 class=inc: x
			xor x: m[${n<4}] e[*]
			end e`, `start n=0; over; var n=4`},
	})
}
