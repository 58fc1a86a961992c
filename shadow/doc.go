// Package shadow runs rules a second time with another executor, behind the
// back of whoever waits for the answer, and compares what the two found.
//
// The answer is never touched. A file whose rules have been run is offered to a
// Comparer with its text and results. The Comparer has an executor of its own,
// on a worker of its own; it parses the file again, because a tree ends with its
// parser's next file, runs the same rules, and compares pair by pair. What
// differs is counted, and the latest mismatches are kept in a Store. The offer
// never waits: where the queue is full the file is dropped, and counted.
//
// The package does not decide what is compared with what; package flags does.
// It imports neither executor nor parser: it is given them.
package shadow
