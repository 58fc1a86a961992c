// Package report prints comparisons: a summary as a table for a terminal, as
// Markdown and as JSON; a record in these forms, as CSV, in the Go benchmark
// format and as a page with pictures. Each form is a function of an io.Writer.
// The package judges nothing: it scales figures, and picks and merges samples
// for the pictures.
package report
