package jsrt

import (
	"testing"

	"go.uber.org/goleak"

	"github.com/ddsabench/ddsabench/executor"
	"github.com/ddsabench/ddsabench/executor/executortest"
	"github.com/ddsabench/ddsabench/internal/unwatched"
	"github.com/ddsabench/ddsabench/internal/watch"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// newRuntime makes a runtime that nobody watches, closed at the test's end.
func newRuntime(t testing.TB, limits executor.Limits) *Runtime {
	t.Helper()
	return newWatched(t, limits, unwatchedDog)
}

func unwatchedDog(*watch.Guard) (watch.Watchdog, error) { return unwatched.Watchdog{}, nil }

func newWatched(t testing.TB, limits executor.Limits, watchdog func(*watch.Guard) (watch.Watchdog, error)) *Runtime {
	t.Helper()
	e, err := New("test", limits, watchdog)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	return e.(*Runtime)
}

// armed arms the guard without watching the clock, for what stops an execution
// besides.
type armed struct{ guard *watch.Guard }

func (a armed) Arm(deadline int64) error       { a.guard.Arm(deadline); return nil }
func (a armed) Disarm() watch.Cause            { return a.guard.Disarm() }
func (armed) Close()                           {}
func (armed) Threads() (started, ended uint64) { return 0, 0 }

func newArmed(guard *watch.Guard) (watch.Watchdog, error) { return armed{guard}, nil }

// rule makes a rule of its visit function's body.
func rule(body string) *executor.Rule {
	return &executor.Rule{Name: "set/rule", Code: "function visit(match, filename, code) {" + body + "}"}
}

func one() *executor.File { return executortest.NewFile("a.js", "x", executortest.Match{}) }

func execute(t testing.TB, r *Runtime, rule *executor.Rule, file *executor.File) executor.Result {
	t.Helper()
	res, err := r.Execute(t.Context(), rule, file)
	if err != nil {
		t.Fatal(err)
	}
	return res
}
