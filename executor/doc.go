// Package executor defines what it means to run one rule over one file under
// a time limit, without saying how: the Executor interface, its inputs (Rule,
// File, Limits), its outputs (Result, Violation, typed errors) and a Pool that
// spreads files over several executors.
//
// The package holds no cgo and imports no other room of the project. The
// executors themselves are in the packages legacy and ddsa; the package
// ddsabench at the module's root picks between them.
package executor
