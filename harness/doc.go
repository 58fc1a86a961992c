// Package harness is the run record of a comparison: what was compared, on
// which machine, and every raw figure of every sample, as JSON lines that are
// written as they come. All judgement is made from the record, so that an old
// run can be judged again.
//
// The package starts nothing and judges nothing. Below it, measure makes one
// sample, compare makes and summarises a whole record, stats holds the
// statistics, report prints.
package harness
