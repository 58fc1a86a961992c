package main

import "fmt"

// The exit codes. Different causes never share one.
const (
	exitOK          = 0
	exitInternal    = 1
	exitUsage       = 2
	exitRegression  = 3
	exitOpen        = 4
	exitFindings    = 5
	exitViolations  = 6
	exitInterrupted = 130
	// exitPipe is what a shell says of a program that SIGPIPE ended.
	exitPipe = 141
)

const exitCodes = `Exit codes:
   0  fine
   1  internal error, or output that could not be written
   2  usage, or bad input
   3  an arm is slower, and --fail-on asks for it
   4  nothing can be said of an arm, and --fail-on asks for it
   5  findings differ, so the comparison is void
   6  violations at or above --fail-on, or rule tests or torture failed
 130  interrupted
 141  standard output was closed before the work was done`

// An exitError ends the command with a code of its own.
type exitError struct {
	code int
	err  error
}

func (e *exitError) Error() string { return e.err.Error() }

func (e *exitError) Unwrap() error { return e.err }

// usage marks an error as the user's: a wrong option, or bad input.
func usage(err error) error { return &exitError{exitUsage, err} }

func usagef(format string, args ...any) error { return usage(fmt.Errorf(format, args...)) }
