// Package runtime runs the pure core of package engine in the caller's database
// transaction: a decision on a process and the business row it decides are one commit.
//
//	e := runtime.New(runtime.Options{Handlers: …})          // start-up
//	e.OnTask(resolvePeople); e.Work(queue)
//	res, err := e.Start(ctx, runtime.StartIn{Key: "oa_leave", …})   // inside a Write, or alone
//	res, err = e.Do(ctx, runtime.Command{Instance: id, Action: &engine.CompleteTask{Task: 7}})
//
// One user action is one unit: the instance is read once under the lock of the root of
// its call tree, commands of hooks run on the loaded aggregate, and everything is
// written in one batch at the end (at most four exchanges with PostgreSQL). After an
// error the caller must roll the Write back, which returning the error does.
//
//   - wf_instance.state holds the living part (tokens, open tasks, subscriptions, jobs,
//     incidents, open visits) as one JSON document, so that a command reads one row and
//     writes one row however many tokens there are. There is no table of tokens:
//     nothing searches them, and a second copy could only disagree. What is searched
//     stands in tables besides: tasks, candidates, subscriptions, incidents, visits.
//     Verify compares both.
//   - wf_event has one row per command with all its events, whose numbers run from seq
//     without a gap. Replay runs the recorded commands again and compares the bytes.
//   - Jobs of the core run on package job under the key instance.job.due.attempt; a run
//     that finds its job gone or changed does nothing. A failed try is recorded by a
//     command of its own with back-off; after the last one an incident waits.
//   - Child instances of call activities live in the unit of their parent. Signals
//     become one job per receiver; a message has exactly one receiver.
//   - Handlers, beans and decisions are registered by name (registry.go). In a
//     synchronous one: no network, and no command on its own instance.
//
// An instance id is a UUID of version 7 (RFC 9562): new rows stand together in the
// indexes. A task or token on the wire is instance.number, see ExecutionID.
package runtime
