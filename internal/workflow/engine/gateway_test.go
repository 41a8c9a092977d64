package engine

import "testing"

func TestSequence(t *testing.T) {
	runBehaviours(t, []behaviour{
		{"nothing but start and end", `
			start s: e
			end e`, `start; over; path s e`},
		{"one user task", `
			start s: a
			user a: e
			end e`, `start n=1; at a; open 1; effects TaskCreated; done a x=2; over; path s a e; var n=1; var x=2`},
		{"tasks that pass", `
			start s: a
			task a: b
			manual b: e
			end e`, `start; over; path s a b e`},
		{"no end event", `
			start s: a
			user a:`, `start; done a; over; path s a`},
		{"several flows split", `
			start s: a
			user a: b c
			user b: e
			user c: e
			end e`, `start; done a; at b c; done c; at b; done b; over; path s a b c e e`},
		{"conditional flows of an activity", `
			start s: a
			user a: b[${n>1}] c[${n>2}] d[*]
			user b: e
			user c: e
			user d: e
			end e`, `start n=2; done a; at b; done b; over`},
		{"default flow of an activity", `
			start s: a
			user a: b[${n>1}] d[*]
			user b: e
			user d: e
			end e`, `start n=1; done a; at d`},
		{"no flow of an activity may be taken", `
			start s: a
			user a: b[${n>1}] c[${n>2}]
			user b: e
			user c: e
			end e`, `start n=0; done a; at a!; incidents flow; ! skip -; ! skip nope; skip f3; at c`},
		{"a single conditional flow that is false", `
			start s: a
			user a: b[${n>1}]
			user b: e
			end e`, `start n=0; done a; at a!; incidents flow; retry n=5; at b`},
		{"retry after the variable was set", `
			start s: a
			user a: b[${n>1}] c[${n>2}]
			user b: e
			user c: e
			end e`, `start n=0; done a; retry n=3; at b c; incidents`},
		{"a user task is completed once", `
			start s: a
			user a: e
			end e`, `start; done a; over`},
		{"multi-merge passes each token", `
			start s: g
			and g: a b
			task a: m
			task b: m
			user m: e
			end e`, `start; at m m; done m; done m; over; path s g a b m m e e`},
		{"initiator variable", `
			start s initiator=who: e
			end e`, `start; var who=5`},
	})
}

func TestExclusiveGateway(t *testing.T) {
	x := `
		start s: x
		xor x: a[${n>1}] b[${n>0}] c[*]
		user a: m
		user b: m
		user c: m
		xor m: e
		end e`
	runBehaviours(t, []behaviour{
		{"first true flow wins", x, `start n=2; at a; done a; over; path s x a m e`},
		{"second flow", x, `start n=1; at b`},
		{"default", x, `start n=0; at c`},
		{"text that is a number", x, `start n="1"; at b`},
		{"missing variable is an error in an order", x, `start; at x!; incidents expression; retry n=2; at a`},
		{"text that is no number", x, `start n=abc; at x!; incidents expression`},
		{"null in an order is false", x, `start n=null; at c`},
		{"default stands before the true flow", `
			start s: x
			xor x: c[*] a[${n==1}]
			user a: e
			user c: e
			end e`, `start n=1; at a`},
		{"unconditional flow counts as true", `
			start s: x
			xor x: a[${n==1}] b c[*]
			user a: e
			user b: e
			user c: e
			end e`, `start n=0; at b`},
		{"no match and no default", `
			start s: x
			xor x: a[${n==1}] b[${n==2}]
			user a: e
			user b: e
			end e`, `start n=0; at x!; incidents flow; set n=2; retry; at b; incidents; done b; over`},
		{"skip names a flow", `
			start s: x
			xor x: a[${n==1}] b[${n==2}]
			user a: e
			user b: e
			end e`, `start n=0; skip f2; at a`},
		{"string condition result", `
			start s: x
			xor x: a[${flag}] b[*]
			user a: e
			user b: e
			end e`, `start flag="true"; at a`},
		{"condition that is no truth value", `
			start s: x
			xor x: a[${flag}] b[*]
			user a: e
			user b: e
			end e`, `start flag=1; at x!; incidents expression; retry flag=false; at b`},
		{"condition with a bean", `
			start s: x
			xor x: a[${math.double(n)>3}] b[*]
			user a: e
			user b: e
			end e`, `start n=2; at a`},
		{"condition with a missing bean", `
			start s: x
			xor x: a[${gone.away(n)>3}] b[*]
			user a: e
			user b: e
			end e`, `start n=2; at x!; incidents handler`},
		{"a failing bean fails the command", `
			start s: u
			user u: x
			xor x: a[${math.fail(n)>3}] b[*]
			user a: e
			user b: e
			end e`, `start n=2; ! done u; at u; open 1`},
		{"exclusive merge does not wait", `
			start s: g
			and g: a b
			user a: m
			user b: m
			xor m: c
			user c: e
			end e`, `start; done a; at b c; done b; at c c`},
		{"loop back", `
			start s: m
			xor m: a
			user a: x
			xor x: m[${!ok}] e[*]
			end e`, `start ok=false; done a; at a; done a; at a; done a ok=true; over; path s m a x m a x m a x e`},
	})
}

func TestParallelGateway(t *testing.T) {
	runBehaviours(t, []behaviour{
		{"split and join", `
			start s: g
			and g: a b c
			user a: j
			user b: j
			user c: j
			and j: z
			user z: e
			end e`, `start; at a b c; done b; at a c j|; done a; at c j| j|; done c; at z; done z; over; path s g a b c j j j z e`},
		{"conditions do not count", `
			start s: g
			and g: a[${false}] b
			user a: e
			user b: e
			end e`, `start; at a b`},
		{"two tokens by one flow do not fire the join", `
			start s: g
			and g: a b c
			task a: m
			task b: m
			user c: j
			xor m: j
			and j: z
			user z: e
			end e`, `start; at c j| j|; done c; at j| z; done z; at j|`},
		{"an extra token waits for the next round", `
			start s: g
			and g: a b c d
			task a: m
			task b: m
			user c: n
			user d: n
			xor m: j
			xor n: j
			and j: z
			user z: e
			end e`, `start; at c d j| j|; done c; at d j| z; done d; at z z; done z; done z; over`},
		{"dead branch waits for ever", `
			start s: g
			and g: a x
			task a: j
			xor x: j[${n==1}] e1[*]
			end e1
			and j: e
			end e`, `start n=0; at j|`},
		{"join and split in one", `
			start s: g
			and g: a b
			user a: j
			user b: j
			and j: c d
			user c: e
			user d: e
			end e`, `start; done a; done b; at c d`},
		{"nested", `
			start s: g
			and g: h c
			and h: a b
			user a: i
			user b: i
			and i: j
			user c: j
			and j: e
			end e`, `start; at a b c; done a; done c; at b i| j|; done b; over`},
		{"single incoming passes", `
			start s: g
			and g: a
			user a: e
			end e`, `start; at a`},
		{"join does not see another scope", `
			start s: g
			and g: S T
			sub S: j {
				start s1: a
				user a: e1
				end e1
			}
			sub T: j {
				start s2: b
				user b: e2
				end e2
			}
			and j: z
			user z: e
			end e`, `start; at a b; done b; at a j|; done a; at z`},
		{"join inside a sub-process per instance", `
			start s: S
			sub S all=${list} as=x: e {
				start s1: g
				and g: a b
				user a: j
				user b: j
				and j: c
				user c: e1
				end e1
			}
			end e`, `start list=[1,2]; at a a b b; done a#1; done b#2; at a b j| j|; done b; at a c j|; done a; at c c; done c; done c; over`},
		{"loop through a join", `
			start s: m
			xor m: g
			and g: a b
			user a: j
			user b: j
			and j: x
			xor x: m[${n<2}] e[*]
			end e`, `start n=1; done a; done b; at a b; done b; done a n=2; over`},
	})
}

func TestInclusiveGateway(t *testing.T) {
	or := `
		start s: g
		or g: a[${n>0}] b[${n>1}] c[*]
		user a: j
		user b: j
		user c: j
		or j: z
		user z: e
		end e`
	runBehaviours(t, []behaviour{
		{"one branch", or, `start n=1; at a; done a; at z; done z; over`},
		{"two branches", or, `start n=2; at a b; done a; at b j|; done b; at z; done z; over; path s g a b j j z e`},
		{"default branch", or, `start n=0; at c; done c; at z`},
		{"no branch and no default", `
			start s: g
			or g: a[${n>0}] b[${n>1}]
			user a: e
			user b: e
			end e`, `start n=0; at g!; incidents flow`},
		{"a branch that cannot arrive any more", `
			start s: g
			and g: a b
			user a: j
			user b: x
			xor x: j[${n==1}] e1[*]
			end e1
			or j: z
			user z: e
			end e`, `start n=0; done a; at b j|; done b; at z`},
		{"a cancelled branch releases the join", `
			start s: g
			and g: a b
			user a: j
			user b: j
			or j: z
			user z: e
			end e`, `start; done a; at b j|; cancel b; at z`},
		{"a token that only moves past releases the join", `
			start s: g
			and g: a b c
			user a: j
			user b: x
			user c: k
			xor x: k[${n==1}] j[*]
			or j: z
			and k: e
			user z: e
			end e`, `start n=1; done a; done c; at b j| k|; done b; at z; done z; over`},
		{"a long way round", `
			start s: g
			and g: a b
			user a: j
			user b: c
			user c: d
			user d: j
			or j: z
			user z: e
			end e`, `start; done a; done b; at c j|; done c; done d; at z`},
		{"two tokens on one flow fire twice", `
			start s: g
			and g: a b
			user a: m
			user b: m
			xor m: j
			xor never: j
			or j: z
			user z: e
			end e`, `start; done a; at b z; done b; at z z`},
		{"loop back behind the join does not block it", `
			start s: g
			and g: a b
			user a: j
			user b: j
			or j: x
			user x: y
			xor y: a[${again}] e[*]
			end e`, `start again=false; done a; at b j|; done b; at x; done x; over`},
		{"inside a sub-process", `
			start s: S
			sub S: e {
				start s1: g
				or g: a[${n>0}] b[${n>1}]
				user a: j
				user b: j
				or j: e1
				end e1
			}
			end e`, `start n=2; done a; at b j|; done b; over`},
		{"a token in a sub-process blocks", `
			start s: g
			and g: a S
			user a: j
			sub S: j {
				start s1: b
				user b: e1
				end e1
			}
			or j: z
			user z: e
			end e`, `start; done a; at b j|; done b; at z`},
		{"two joins in a row", `
			start s: g
			or g: a[${n>0}] b[${n>1}] c[${n>2}]
			user a: i
			user b: i
			or i: j
			user c: j
			or j: e
			end e`, `start n=3; done a; at b c i|; done c; at b i| j|; done b; over`},
		{"split of one token goes through both", `
			start s: g
			or g: a[${n>0}] b[${n>0}]
			task a: j
			task b: j
			or j: z
			user z: e
			end e`, `start n=1; at z; done z; over`},
	})
}

func TestEventGateway(t *testing.T) {
	g := `
		start s: g
		event g: m t q r
		catch m msg=hello: a
		catch t timer=PT1H: b
		catch q sig=go: c
		receive r msg=other: d
		user a: e
		user b: e
		user c: e
		user d: e
		end e`
	runBehaviours(t, []behaviour{
		{"message first", g, `start; at g; subs 3; jobs 1; msg hello x=1; at a; subs 0; jobs 0; var x=1; path s g m a`},
		{"timer first", g, `start; due t 3600; fire t; at b; subs 0; jobs 0`},
		{"signal first", g, `start; sig go; at c; ! msg hello`},
		{"receive task first", g, `start; msg other; at d; done d; over`},
		{"cancelled while waiting", g, `start; end 4; over 4; subs 0; jobs 0`},
		{"in a loop", `
			start s: m0
			xor m0: g
			event g: m t
			catch m msg=hello: x
			catch t timer=PT1H: e
			xor x: m0
			end e`, `start; msg hello; at g; subs 1; jobs 1; fire t; over`},
	})
}
