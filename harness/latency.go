package harness

import "time"

// A Latency is how long single executions took, watching included: the buckets
// of an HDR histogram that hold any. The slices have equal lengths.
type Latency struct {
	// Upto are the longest times that the buckets take, ascending.
	Upto []time.Duration `json:"upto_ns"`
	// Count has the number of executions in each.
	Count []uint64 `json:"count"`
}
