// Package flags decides which executor runs, for whom, and says why. It is one
// flag, ddsa-runtime, in the vocabulary of OpenFeature.
//
// The flag takes these settings:
//
//	legacy   legacy answers; the default
//	ddsa     ddsa answers
//	N%       ddsa answers for N percent of the targeting keys, legacy for the rest
//	shadow   legacy answers; ddsa runs too and is compared
//	live     ddsa answers; legacy runs too and is compared
//
// The strongest source that has a setting decides:
//
//  1. the kill switch: DDSA_RUNTIME_KILL=1, or "kill: true" in the file; forces legacy
//  2. the option, in code or on the command line
//  3. the environment: DDSA_RUNTIME
//  4. the file that DDSA_RUNTIME_FILE names: "runtime: 25%"
//  5. a provider, such as one of OpenFeature
//  6. the default, legacy
//
// A running program follows the file within a second. A file that is removed,
// or holds something wrong, changes nothing: its last good content counts. Only
// a kill switch counts all the same, and one that cannot be read, in the file or
// in DDSA_RUNTIME_KILL, is on.
//
// The evaluator never fails, panics or logs: whatever it is given, it returns
// a Decision, and a wrong value leads to the executor that is known to work.
// The package imports no other room of the project and makes no executor;
// package ddsabench at the module's root does.
package flags
