//go:build !linux || !cgo

package ddsabench

// A build for another system, or without cgo, ends here and says why.
var _ = ddsabench_needs_linux_and_cgo_to_reach_V8
