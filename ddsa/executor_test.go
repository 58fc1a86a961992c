package ddsa

import (
	"testing"

	"github.com/ddsabench/ddsabench/executor/executortest"
)

func TestExecutor(t *testing.T) { executortest.Run(t, New) }
