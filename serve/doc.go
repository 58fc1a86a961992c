// Package serve is the analyzer as an HTTP server. POST /analyze takes and
// gives what the original analyzer's server does; the flag decides for each
// request which executor answers.
//
// What the server holds is bounded: requests being read and checked, their
// size, requests that wait, answers being written, compiled rules, runtimes.
// What does not fit is refused with a status that says when to come back, and
// nothing waits longer than its request's time limit.
//
// The package knows executors only as Runners, which its caller makes. It does
// not read rules from files, decide the flag, or watch executions.
package serve
