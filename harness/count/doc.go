// Package count counts what a child process does while it runs: threads,
// system calls that touch memory, anonymous bytes, context switches, faults.
//
// The best source that the machine permits is used: BPF on raw tracepoints
// (every event, no tracefs needed), else perf_event (counts only, needs
// tracefs), else /proc. The result names it and says why the better ones were
// not used. Start takes a process that waits for its job; Stop takes it between
// its end and the wait that frees its number.
//
// Counting slows the child, and thread creation most, so this is no place to
// measure time. The package starts no processes and judges nothing.
package count
