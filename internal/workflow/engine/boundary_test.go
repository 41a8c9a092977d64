package engine

import "testing"

func TestBoundaryEvents(t *testing.T) {
	on := func(attrs string) string {
		return `
			start s: a
			user a: e
			boundary b on=a ` + attrs + `: z
			user z: e
			end e`
	}
	runBehaviours(t, []behaviour{
		{"timer interrupts", on("timer=PT1H"), `start; due b 3600; fire b; at z; open 1; jobs 0; path s a b z; done z; over`},
		{"timer goes when the task is done", on("timer=PT1H"), `start; done a; over; jobs 0`},
		{"timer beside", on("beside timer=PT1H"), `start; fire b; at a z; jobs 0; done a; done z; over`},
		{"cycle beside re-arms", on("beside timer=R3/PT1H"), `start; wait PT1H; fire b; due b 7200; wait PT1H; fire b; wait PT1H; fire b; jobs 0; at a z z z`},
		{"endless cycle ends with its host", on("beside timer=R/PT1H"), `start; wait PT1H; fire b; jobs 1; done a; jobs 0; at z`},
		{"cycle that interrupts fires once", on("timer=R3/PT1H"), `start; wait PT1H; fire b; jobs 0; at z`},
		{"missed cycle fires once", on("beside timer=R/PT1H"), `start; wait PT5H; fire b; due b 21600; at a z`},
		{"date", on("timer=@2025-03-02T00:00:00Z"), `start; due b 86400; fire b; at z`},
		{"date in the past is due", on("timer=@2025-02-28T00:00:00Z"), `start; due b -86400`},
		{"duration from a variable", on("timer=${wait}"), `start wait=PT2H; due b 7200`},
		{"bad duration from a variable", on("timer=${wait}"), `start wait=soon; at a!; incidents expression; open 0; retry wait=PT1H; at a; jobs 1; fire b; at z`},
		{"message interrupts", on("msg=stop"), `start; subs 1; msg stop x=1; at z; subs 0; var x=1`},
		{"message beside comes again and again", on("beside msg=note"), `start; msg note; msg note; at a z z; subs 1; done a; subs 0; at z z`},
		{"signal interrupts", on("sig=halt"), `start; sig halt; at z`},
		{"signal beside", on("beside sig=halt"), `start; sig halt; sig halt; at a z z`},
		{"message after the task is refused", on("msg=stop"), `start; done a; over; ! msg stop`},
		{"error from outside", on("err=E1"), `start; raise a E1; at z; var code=E1`},
		{"another error is refused", on("err=E1"), `start; ! raise a E2; at a`},
		{"catch-all error", on("err="), `start; raise a E9; at z; var code=E9`},
		{"several boundaries, one fires", `
			start s: a
			user a: e
			boundary b on=a timer=PT1H: y
			boundary c on=a msg=stop: z
			user y: e
			user z: e
			end e`, `start; jobs 1; subs 1; msg stop; at z; jobs 0; subs 0`},
		{"code wins over catch-all", `
			start s: a
			service a class=fault:E1: e
			boundary b on=a err=: y
			boundary c on=a err=E1: z
			user y: e
			user z: e
			end e`, `start; at z`},
		{"catch-all takes the rest", `
			start s: a
			service a class=fault:E2: e
			boundary b on=a err=: y
			boundary c on=a err=E1: z
			user y: e
			user z: e
			end e`, `start; at y; var code=E2`},
		{"boundary on a sub-process cancels all inside", `
			start s: S
			sub S: e {
				start s1: g
				and g: a b
				user a: e1
				user b: e1
				boundary t on=b timer=PT5M: e2
				end e1
				end e2
			}
			boundary x on=S timer=PT1H: z
			user z: e
			end e`, `start; jobs 2; at a b; fire x; at z; jobs 0; open 1`},
		{"boundary beside a sub-process", `
			start s: S
			sub S: e {
				start s1: a
				user a: e1
				end e1
			}
			boundary x on=S beside msg=note: z
			user z: e
			end e`, `start; msg note; at a z; done a; at z; done z; over`},
		{"inner boundary goes on inside", `
			start s: S
			sub S: c {
				start s1: a
				user a: e1
				boundary b on=a timer=PT1H: i
				user i: e1
				end e1
			}
			user c: e
			end e`, `start; fire b; at i; done i; at c`},
		{"nested scopes, outer one fires", `
			start s: S
			sub S: e {
				start s1: T
				sub T: e1 {
					start s2: a
					user a: e2
					end e2
				}
				boundary in on=T timer=PT2H: e1
				end e1
			}
			boundary out on=S timer=PT1H: z
			user z: e
			end e`, `start; jobs 2; fire out; at z; jobs 0`},
		{"error climbs to the nearest catcher", `
			start s: S
			sub S: e {
				start s1: T
				sub T: e1 {
					start s2: a
					service a class=fault:E1: e2
					end e2
				}
				boundary in on=T err=E2: y
				user y: e1
				end e1
			}
			boundary out on=S err=E1: z
			user z: e
			end e`, `start; at z`},
		{"inner catcher first", `
			start s: S
			sub S: e {
				start s1: a
				service a class=fault:E1: e1
				boundary in on=a err=E1: y
				user y: e1
				end e1
			}
			boundary out on=S err=E1: z
			user z: e
			end e`, `start; at y`},
		{"a task with a join behind it", `
			start s: g
			and g: a c
			user a: j
			boundary b on=a timer=PT1H: j2
			xor j2: j
			user c: j
			and j: e
			end e`, `start; fire b; at c j|; done c; at j| j|`},
		{"two tokens at one host have two timers", `
			start s: g
			and g: m m2
			task m: a
			task m2: a
			user a: e
			boundary b on=a timer=PT1H: z
			user z: e
			end e`, `start; at a a; jobs 2; fire b#2; at a z; jobs 1; done a; jobs 0`},
		{"boundary on a call activity ends the child", `
			start s: a
			call a calls=other: e
			boundary b on=a timer=PT1H: z
			user z: e
			end e`, `start; at a; fire b; effects ChildUnwanted TaskCreated; at z`},
		{"boundary on a receive task", `
			start s: a
			receive a msg=reply: e
			boundary b on=a timer=PT1H: z
			user z: e
			end e`, `start; subs 1; jobs 1; fire b; subs 0; at z`},
		{"boundary event with asyncBefore", `
			start s: a
			user a: e
			boundary b on=a timer=PT1H async=before: z
			user z: e
			end e`, `start; fire b; at b; jobs 1; fire b; at z`},
		{"host re-entered arms again", `
			start s: m
			xor m: a
			user a: x
			boundary b on=a timer=PT1H: m
			xor x: m[${again}] e[*]
			end e`, `start again=true; fire b; at a; jobs 1; done a; at a; jobs 1; done a again=false; over`},
		{"cancel listener sees the end", `
			start s: a
			user a listen=end/log task=delete/log: e
			boundary b on=a timer=PT1H: z
			user z: e
			end e`, `start; fire b; calls delete a log, delete a log; at z`},
		{"async host has no boundary before it starts", `
			start s: a
			user a async=before: e
			boundary b on=a timer=PT1H: z
			user z: e
			end e`, `start; jobs 1; fire a; jobs 1; fire b; at z`},
	})
}

func TestEventSubProcess(t *testing.T) {
	with := func(start string) string {
		return `
			start s: a
			user a: e
			end e
			esub X {
				start x ` + start + `: b
				user b: ex
				end ex
			}`
	}
	runBehaviours(t, []behaviour{
		{"message interrupts the process", with("msg=stop"), `start; subs 1; msg stop v=1; at b; subs 0; done b; over; var v=1; path s a X x b ex`},
		{"message beside", with("beside msg=note"), `start; msg note; msg note; at a b b; done a; done b; done b; over`},
		{"timer interrupts", with("timer=PT1H"), `start; fire x; at b; jobs 0; done b; over`},
		{"timer beside, cycle", with("beside timer=R2/PT1H"), `start; wait PT1H; fire x; jobs 1; at a b; wait PT1H; fire x; jobs 0; at a b b`},
		{"signal", with("sig=halt"), `start; sig halt; at b`},
		{"error", with("err=E1"), `start; raise a E1; at b; done b; over`},
		{"error of a task", `
			start s: a
			service a class=fault:E1: e
			end e
			esub X {
				start x err=: b
				user b: ex
				end ex
			}`, `start; at b; var code=E1; done b; over`},
		{"not triggered", with("msg=stop"), `start; done a; over; subs 0; ! msg stop`},
		{"in a sub-process, which goes on after it", `
			start s: S
			sub S: c {
				start s1: a
				user a: e1
				end e1
				esub X {
					start x msg=stop: b
					user b: ex
					end ex
				}
			}
			user c: e
			end e`, `start; subs 1; msg stop; at b; done b; at c; subs 0`},
		{"subscription lives as long as the scope", `
			start s: S
			sub S: c {
				start s1: a
				user a: e1
				end e1
				esub X {
					start x msg=stop: b
					user b: ex
					end ex
				}
			}
			user c: e
			end e`, `start; done a; at c; subs 0; ! msg stop`},
		{"interrupting one silences its siblings", `
			start s: a
			user a: e
			end e
			esub X {
				start x msg=one: b
				user b: ex
				end ex
			}
			esub Y {
				start y beside msg=two: c
				user c: ey
				end ey
			}`, `start; subs 2; msg two; at a c; msg one; at b; subs 0`},
		{"interrupting keeps the boundary of its host", `
			start s: S
			sub S: e {
				start s1: a
				user a: e1
				end e1
				esub X {
					start x msg=one: b
					user b: ex
					end ex
				}
			}
			boundary t on=S timer=PT1H: z
			user z: e
			end e`, `start; msg one; at b; jobs 1; fire t; at z`},
		{"error inside is not caught by the same scope", `
			start s: S
			sub S: e {
				start s1: a
				user a: e1
				end e1
				esub X {
					start x err=: b
					service b class=fault:E2: ex
					end ex
				}
			}
			boundary t on=S err=E2: z
			user z: e
			end e`, `start; raise a E1; at z`},
		{"uncaught inside becomes an incident", `
			start s: a
			user a: e
			end e
			esub X {
				start x err=E1: b
				service b class=fault:E2: ex
				end ex
			}`, `start; raise a E1; at b!; incidents error; skip -; over`},
		{"event sub-process in an event sub-process", `
			start s: a
			user a: e
			end e
			esub X {
				start x msg=one: b
				user b: ex
				end ex
				esub Y {
					start y msg=two: c
					user c: ey
					end ey
				}
			}`, `start; msg one; at b; subs 1; msg two; at c; done c; over`},
		{"per item of a multi-instance", `
			start s: S
			sub S all=${list}: e {
				start s1: a
				user a: e1
				end e1
				esub X {
					start x msg=stop: b
					user b: ex
					end ex
				}
			}
			end e`, `start list=[1,2]; subs 2; msg stop; at a b; subs 1; done b; done a; over`},
		{"terminate in it ends only it", `
			start s: a
			user a: e
			end e
			esub X {
				start x beside msg=note: g
				and g: b c
				user b: ex
				user c: ey
				end ex terminate
				end ey
			}`, `start; msg note; at a b c; done b; at a; done a; over`},
		{"local variables of the scope are kept", `
			start s: S
			sub S take=v=${n}: e {
				start s1: a
				user a: e1
				end e1
				esub X {
					start x msg=stop: b
					service b expr=${v} result=seen: ex
					end ex
				}
			}
			end e`, `start n=4; msg stop; var seen=4; over`},
		{"bad timer stalls the sub-process, retry arms once", `
			start s: S
			sub S: e {
				start s1: a
				user a: e1
				end e1
				esub Y {
					start y beside msg=note: c
					user c: ey
					end ey
				}
				esub X {
					start x timer=${wait}: b
					user b: ex
					end ex
				}
			}
			end e`, `start wait=never; at S!; retry wait=PT1H; at a; jobs 1; subs 1; fire x; at b`},
	})
}

func TestTerminate(t *testing.T) {
	runBehaviours(t, []behaviour{
		{"ends the instance", `
			start s: g
			and g: a b
			user a: e
			user b: x
			end e
			end x terminate`, `start; done b; over; open 0`},
		{"a none end does not", `
			start s: g
			and g: a b
			user a: e
			user b: x
			end e
			end x`, `start; done b; at a`},
		{"ends the sub-process only", `
			start s: S
			sub S: c {
				start s1: g
				and g: a b
				user a: e1
				user b: x
				end e1
				end x terminate
			}
			user c: e
			end e`, `start; done b; at c; open 1`},
		{"all: from a sub-process the whole instance", `
			start s: g
			and g: S b
			sub S: e {
				start s1: a
				user a: x
				end x terminateall
			}
			user b: e
			end e`, `start; done a; over; open 0`},
		{"while tokens wait at a join", `
			start s: g
			and g: a b c
			user a: j
			user b: x
			user c: j
			and j: e
			end e
			end x terminate`, `start; done a; done b; over`},
	})
}
