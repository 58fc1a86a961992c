// Package measure makes one sample: a fresh child process that runs all rules
// over all files with one executor and reports its own figures, watched by the
// parent.
//
// Runner is the parent's side, ChildMain the child's, RunJob the work itself.
// Executors may live in processes below the child's: with JobSpec.Processes the
// figures are those of the child and of all processes below it, found in /proc.
// These need not tell or do anything but end, and be waited for, when their
// executor is closed.
//
// Executors, parsers and files come by injection; the package does not know V8.
// It makes no comparisons.
package measure
