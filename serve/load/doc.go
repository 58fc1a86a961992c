// Package load is the server's load test: it starts the program as a server on
// loopback, sends requests at a steady rate while the flag goes up and down its
// ladder, then too many, then hostile ones, compares every answer with the one
// expected, and prints what it saw. It runs only when it is asked to:
//
//	make load LOADTIME=1m
//
// The package has tests and nothing else.
package load
