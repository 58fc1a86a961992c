// Package compare makes comparisons and says what came of them: Run takes the
// samples of all arms in balanced shuffled rounds and writes the record,
// Summarize judges a record.
//
// It starts no process itself (package measure does) and prints nothing
// (package report does).
package compare
