// Package report prints summaries of comparisons: as a table for a terminal, as
// Markdown and as JSON. Each form is a function of an io.Writer. The package
// computes nothing but the scale of the figures that it prints.
package report
