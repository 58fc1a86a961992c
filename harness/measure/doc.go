// Package measure makes one sample: a fresh child process that runs all rules
// over all files with one executor and reports its own figures, watched by the
// parent.
//
// Runner is the parent's side, ChildMain the child's, RunJob the work itself.
// Executors, parsers and files come by injection; the package does not know
// V8. It makes no comparisons.
package measure
