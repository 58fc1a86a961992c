// Package stats holds the statistics that reports need: a description of one
// sample and the change between two paired ones. It knows numbers only,
// nothing of runs, arms or units.
package stats
