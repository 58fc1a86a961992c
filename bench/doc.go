// Package bench measures what one execution costs, by rule and by watchdog, and
// what is left of it step by step. It has tests and benchmarks only: `make
// microbench` runs them, docs/performance.md says how to read them.
//
// Besides the two executors' watchdogs it has three that programs use instead;
// they live here and nowhere else. Whole runs over real files are measured by
// harness/compare, not here.
package bench
