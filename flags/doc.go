// Package flags decides which executor runs, and says why. It is one flag,
// ddsa-runtime, in the vocabulary of OpenFeature.
//
// The evaluator never fails, panics or logs: whatever it is given, it returns
// a Decision, and a wrong value leads to the executor that is known to work.
// The package imports no other room of the project and makes no executor;
// package ddsabench at the module's root does.
package flags
