// Package kept writes the figures of runs that are kept as evidence: the tables
// of results/, made from the records alone, so that no figure is typed. It
// measures and judges nothing; the judgements are those of package compare.
package kept
