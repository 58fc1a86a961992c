//go:build linux

// Package worker runs an executor in a process of its own, so that a script
// that V8 cannot stop, or that takes V8 down, costs its own execution and
// nothing else. New makes an executor.FileExecutor whose worker process is this
// very program, started again: a program that wants one calls Main first thing
// in its main function (and in TestMain).
//
// The parent hands whole files over, the worker parses them, runs the rules in
// order and sends the results back; what it is doing at every moment stands in
// a page of memory that both see. The parent trusts nothing that comes from a
// worker. It kills one that overruns its time or memory, blames the execution
// that was running, starts another worker, and goes on with the next rule of
// the same file.
//
// A result is accepted if it answers the request that is open and is the next
// in the order of its rules; anything else counts as a crash. So no execution
// is lost, and none is accepted twice.
//
// The package does not know how to parse or execute: see Program.
package worker
