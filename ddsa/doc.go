// Package ddsa is the executor with one watchdog thread per JavaScript runtime,
// which is not woken per execution: watching costs two atomic operations.
package ddsa
