// Package stats holds the statistics that reports need: a description of one
// sample, the change between two, paired or not, with an exact interval and
// test, the verdict on a change, and a rate with exact bounds. It knows numbers
// only, nothing of runs, arms or units.
package stats
