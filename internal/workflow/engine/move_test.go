package engine

import (
	"strings"
	"testing"
)

func TestMove(t *testing.T) {
	chain := `
		start s: a
		user a: b
		user b: c
		user c: e
		end e`
	fork := `
		start s: a
		user a: g
		and g: b c
		user b: j
		user c: j
		and j: d
		user d: e
		end e`
	inside := `
		start s: a
		user a: S
		sub S: d {
			start s1: b
			user b: c
			user c: e1
			end e1
		}
		boundary t on=S timer=PT1H: e
		user d: e
		end e`
	runBehaviours(t, []behaviour{
		{"back", chain, `start; done a; done b; at c; move c to a; at a; open 1; done a; done b; done c; over; path s a b c a b c e`},
		{"forward", chain, `start; move a to c; at c; done c; over`},
		{"to itself", chain, `start; move a to a; at a; open 1`},
		{"to the end", chain, `start; move a to e; over`},
		{"both branches back", fork, `start; done a; move b,c to a; at a; done a; at b c; done b; done c; at d`},
		{"with a token at the join", fork, `start; done a; done b; at c j|; move c,j to a; at a; done a; done b; done c; at d`},
		{"one branch only leaves the other", fork, `start; done a; move b to d; at c d`},
		{"out of a sub-process", inside, `start; done a; at b; jobs 1; move b to a; at a; jobs 0; done a; at b; jobs 1`},
		{"into a sub-process", inside, `start; move a to c; at c; jobs 1; done c; at d`},
		{"within a sub-process", inside, `start; done a; done b; move c to b; at b; jobs 1; done b; done c; at d`},
		{"to the sub-process itself", inside, `start; done a; done b; move c to S; at b; jobs 1`},
		{"to an unknown element", chain, `start; ! move a to nope`},
		{"to a boundary event", inside, `start; ! move a to t`},
		{"from a dead token", chain, `start; done a; at b`},
		{"an extra token", chain, `start; move - to c; at a c`},
		{"into an open sub-process from outside", `
			start s: g
			and g: x S
			user x: e
			sub S: e {
				start s1: b
				user b: e1
				user c: e1
				end e1
			}
			end e`, `start; at b x; move x to c; at b c; done b; done c; over`},
		{"into a multi-instance sub-process is not clear", `
			start s: a
			user a: S
			sub S all=${list}: e {
				start s1: b
				user b: e1
				end e1
			}
			end e`, `start list=[1,2]; ! move a to b; done a; at b b; move b#2 to b; at b b`},
		{"the last token of an item leaves", `
			start s: a
			user a: S
			sub S all=${list}: e {
				start s1: b
				user b: e1
				end e1
			}
			end e`, `start list=[1,2]; done a; move b#1 to a; at a b; done b; at a; done a; at b b`},
		{"out of the only item", `
			start s: a
			user a: S
			sub S each=${list}: e {
				start s1: b
				user b: e1
				end e1
			}
			end e`, `start list=[1]; done a; move b to a; at a; done a; at b`},
		{"out of a sequential item starts the next", `
			start s: a
			user a: S
			sub S each=${list}: e {
				start s1: b
				user b: e1
				end e1
			}
			end e`, `start list=[1,2]; done a; move b to a; at a b`},
		{"an inclusive join is looked at again", `
			start s: g
			and g: a b
			user a: j
			user b: j
			or j: x
			xor x: z[${true}] y[*]
			user y: e
			user z: e
			end e`, `start; done a; at b j|; move b to y; at y z`},
	})
}

func TestMigration(t *testing.T) {
	v1 := `
		start s: a
		user a: b
		user b: e
		end e`
	rows := []struct{ name, from, to, script string }{
		{"same elements", v1, `
			start s: a
			user a: x
			user x: b
			user b: e
			end e`, `start; migrate v2; at a; open 1; done a; at x; done x; done b; over`},
		{"renamed element", v1, `
			start s: k
			user k: b
			user b: e
			end e`, `start; migrate v2 a>k; at k; done k; at b`},
		{"element is gone", v1, `
			start s: b
			user b: e
			end e`, `start; ! migrate v2; at a; done a; migrate v2; done b; over`},
		{"another kind", v1, `
			start s: a
			receive a: b
			user b: e
			end e`, `start; ! migrate v2`},
		{"new boundary event is armed", v1, `
			start s: a
			user a: b
			boundary t on=a timer=PT1H: b
			user b: e
			end e`, `start; jobs 0; migrate v2; jobs 1; fire t; at b`},
		{"vanished boundary event is forgotten", `
			start s: a
			user a: b
			boundary t on=a timer=PT1H: b
			boundary u on=a msg=m: b
			user b: e
			end e`, v1, `start; jobs 1; subs 1; migrate v2; jobs 0; subs 0; done a; at b`},
		{"timer keeps its due time", `
			start s: c
			catch c timer=PT1H: e
			end e`, `
			start s: c
			catch c timer=PT9H: e
			end e`, `start; migrate v2; due c 3600`},
		{"waiting event is gone", `
			start s: c
			catch c timer=PT1H: e
			end e`, `
			start s: c
			catch c msg=m: e
			end e`, `start; ! migrate v2`},
		{"sub-process stays a sub-process", `
			start s: S
			sub S: e {
				start s1: a
				user a: e1
				end e1
			}
			end e`, `
			start s: S
			sub S: z {
				start s1: a
				user a: e1
				end e1
				esub X {
					start x msg=stop: y
					user y: ex
					end ex
				}
			}
			user z: e
			end e`, `start; migrate v2; subs 1; done a; at z; subs 0`},
		{"another nesting", `
			start s: S
			sub S: e {
				start s1: a
				user a: e1
				end e1
			}
			end e`, v1, `start; ! migrate v2`},
		{"multi-instance keeps its mode", `
			start s: a
			user a all=${list}: e
			end e`, `
			start s: a
			user a each=${list}: e
			end e`, `start list=[1,2]; ! migrate v2`},
		{"multi-instance", `
			start s: a
			user a all=${list}: e
			end e`, `
			start s: k
			user k all=${list}: z
			user z: e
			end e`, `start list=[1,2]; done a; migrate v2 a>k; at k; done k; at z`},
		{"join whose flow is gone", `
			start s: g
			and g: a b
			user a: j
			user b: j
			and j: e
			end e`, `
			start s: g
			and g: b
			user b: j
			and j: e
			end e`, `start; done a; ! migrate v2`},
		{"join whose flows stay", `
			start s: g
			and g: a b
			user a: j
			user b: j
			and j: e
			end e`, `
			start s: g
			and g: a b
			user a: j
			user b: j
			and j: z
			user z: e
			end e`, `start; done a; migrate v2; done b; at z`},
		{"open incident", `
			start s: x
			xor x: a[${n==1}]
			user a: e
			end e`, `
			start s: x
			xor x: a[${n==1}] b[*]
			user a: e
			user b: e
			end e`, `start n=0; ! migrate v2`},
		{"suspended instance", v1, v1, `start; suspend; migrate v2; resume; done a; at b`},
		{"to a missing definition", v1, v1, `start; ! migrate v3`},
	}
	for _, row := range rows {
		t.Run(strings.ReplaceAll(row.name, " ", "_"), func(t *testing.T) {
			p := newPlay(t, row.from)
			p.others["v2"] = compileModel(t, row.to)
			p.script(row.script)
			p.replay()
		})
	}
}

// Recompute starts the timers anew, by the new definition and the clock now.
func TestMigrationRecomputesTimers(t *testing.T) {
	p := newPlay(t, `
		start s: c
		catch c timer=PT1H: e
		end e`)
	p.others["v2"] = compileModel(t, `
		start s: c
		catch c timer=PT2H: e
		end e`)
	p.script(`start; due c 3600; wait PT30M`)
	p.do(&Migrate{DefinitionID: "v2", Recompute: true})
	p.script(`due c 9000; fire c; over`)
	p.replay()
}

func TestMigrationReportsEverything(t *testing.T) {
	p := newPlay(t, `
		start s: g
		and g: a b
		user a: e
		user b: e
		end e`)
	p.script(`start`)
	to := compileModel(t, `
		start s: g
		and g: x y
		user x: e
		user y: e
		end e`)
	if list := MigrationProblems(p.g, to, p.st, nil); len(list) != 2 || list[0].Element != "a" || list[1].Element != "b" {
		t.Fatalf("%v", list)
	}
	if list := MigrationProblems(p.g, to, p.st, map[string]string{"a": "x", "b": "y"}); len(list) != 0 {
		t.Fatalf("%v", list)
	}
}
