package serve

import (
	"testing"

	"go.uber.org/goleak"

	"github.com/ddsabench/ddsabench"
)

// TestMain makes the test binary its own worker process.
func TestMain(m *testing.M) {
	ddsabench.WorkerMain()
	goleak.VerifyTestMain(m)
}
