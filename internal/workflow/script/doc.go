// Package script runs the JavaScript of script tasks and script listeners in goja,
// an ECMAScript interpreter in Go. Whether a tenant may deploy scripts is the
// caller's decision; expressions (format juel) are package juel's.
//
// A script sees a copy of the process variables as global names, and
//
//	execution.getVariable(name)   its value or null
//	execution.hasVariable(name)   whether there is one
//	execution.getVariables()      all of them
//	execution.setVariable(name, value)
//
// Only what setVariable stored comes back; a changed global or a changed member of
// an object does not. The value of the last statement is the result. Fields of a
// variable execution (businessKey …) are fields of that object. Values cross the
// border as JSON in both directions: at most 256 KiB each, numbers are doubles,
// whole numbers beyond 2^53 arrive as text, times as RFC 3339 text.
//
// A run is repeatable: Date reads Env.Now, Math.random is seeded, and each run has
// an interpreter of its own. (Date shows local time in the zone of the process.)
// There is no require, network, file, timer, console, Promise, Proxy, BigInt,
// ArrayBuffer, eval or Function constructor.
//
// Limits: source 64 KiB, 256 nested calls, Env.Limit of time (at most two seconds),
// two scripts at once in the process, 128 MiB of growth of the process's heap.
//
// What this cannot do: goja interrupts between instructions only and has no heap
// cap. A built-in that runs on (joining an array of a billion places) is left
// behind: the caller gets ErrStuck in time, but the place among the two is taken
// until the built-in ends, and it may use memory. Hence scripts are for trusted
// authors; others would need an interpreter with a memory limit.
package script
