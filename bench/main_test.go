package bench

import (
	"fmt"
	"os"
	"testing"

	"go.uber.org/goleak"

	"github.com/ddsabench/ddsabench"
)

// TestMain makes the test binary its own worker process, and a peer.
func TestMain(m *testing.M) {
	ddsabench.WorkerMain()
	if len(os.Args) > 1 && os.Args[1] == peerName {
		if err := playPeer(os.Args[2:], os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}
