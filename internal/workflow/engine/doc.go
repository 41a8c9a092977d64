// Package engine is the pure core of the process engine: it executes the graph of
// package bpmn on the aggregate of one instance, one command at a time, up to the
// next wait states. It has no clock, no randomness, no SQL and no map order: time
// comes with the command, what registered code answers comes through Env and is
// recorded, ids count up inside the instance. The same commands give the same
// bytes, which Replay proves.
//
//	fx, err := engine.Apply(graph, state, command, env)
//
// Apply changes the state in place and says in Effects which rows changed, which
// events were written, and what is left to do in the same transaction: resolve the
// people of a task, start a child instance, deliver a signal. After an error the
// state must be dropped.
//
// A token lives in a scope token (process, sub-process, item of a multi-instance
// activity). Tokens that are ready run first in, first out; flows are taken in
// document order. Between commands every token waits for exactly one thing, see
// TokenState; Check states all that must hold then.
//
// Failures: a Fault is a BPMN error and is caught in the process, or becomes an
// incident; a failing expression, a missing handler and a gateway without a true
// flow become incidents; any other error of registered code fails the command.
// Limits (MaxVisits, MaxTokens, MaxDepth) fail the command.
//
// Ids of tokens, tasks, jobs and all other rows are counted per instance
// (Instance.NextID), so a row is identified by instance and id.
package engine
