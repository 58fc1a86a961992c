package hostile_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ddsabench/ddsabench"
	"github.com/ddsabench/ddsabench/executor"
	"github.com/ddsabench/ddsabench/executor/executortest/hostile"
	"github.com/ddsabench/ddsabench/syntax"
)

// soakLimit is the time limit of a soak's executions.
const soakLimit = 200 * time.Millisecond

// A lane runs scripts at random on one kind of executor after the other.
type lane struct {
	name    string
	open    func() (executor.Executor, error)
	scripts []*hostile.Script
	right   func(*hostile.Script) []string
	random  *rand.Rand

	runs, hung, reopened int
}

// TestSoak runs hostile scripts at random, each followed by the known good rule,
// on both executors in this process and in worker processes, for SOAK (such as
// 2m) or a few seconds. At the end the process has what it had before. SOAK_SEED
// repeats a run, as far as time can be repeated.
func TestSoak(t *testing.T) {
	duration := 2 * time.Second
	long := os.Getenv("SOAK")
	if text := long; text != "" {
		var err error
		if duration, err = time.ParseDuration(text); err != nil {
			t.Fatal(err)
		}
	}
	seed := uint64(time.Now().UnixNano())
	if text := os.Getenv("SOAK_SEED"); text != "" {
		var err error
		if seed, err = strconv.ParseUint(text, 10, 64); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%v, SOAK_SEED=%d", duration, seed)

	soak(t, newLanes(seed+1), duration/4) // V8, C and Go keep some of what they had once
	before := takeStock(t)
	lanes := newLanes(seed)
	soak(t, lanes, duration)
	after := takeStock(t)
	for _, l := range lanes {
		t.Logf("%-15s %6d scripts, %d of them hung; %d executors", l.name, l.runs, l.hung, l.reopened+1)
	}
	t.Logf("before: %v", before)
	t.Logf("after:  %v", after)
	if after.children > 0 || after.descriptors > before.descriptors {
		t.Error("processes or descriptors are left")
	}
	// Go keeps the threads that it needed at one time.
	if after.threads > before.threads+10 || after.watchdogs > 0 {
		t.Error("threads are left")
	}
	if long != "" && after.resident > before.resident*1.25+32<<20 {
		t.Error("memory has grown")
	}
}

func newLanes(seed uint64) []*lane {
	inProcess := slices.DeleteFunc(hostile.Scripts(), func(s *hostile.Script) bool { return !s.InProcessHolds() })
	var lanes []*lane
	for i, name := range executors {
		limits := hostile.Limits(soakLimit)
		lanes = append(lanes, &lane{
			name: name, scripts: inProcess, random: rand.New(rand.NewPCG(seed, uint64(2*i))),
			open:  func() (executor.Executor, error) { return ddsabench.NewArm(name, limits) },
			right: func(s *hostile.Script) []string { return s.InProcess },
		}, &lane{
			name: name + "+process", scripts: hostile.Scripts(), random: rand.New(rand.NewPCG(seed, uint64(2*i+1))),
			open: func() (executor.Executor, error) {
				return ddsabench.NewArmIsolated(name, limits, nil, syntax.DefaultOptions())
			},
			right: func(s *hostile.Script) []string { return s.InWorker },
		})
	}
	return lanes
}

// soak runs all lanes side by side.
func soak(t *testing.T, lanes []*lane, duration time.Duration) {
	end := time.Now().Add(duration)
	var all sync.WaitGroup
	for _, l := range lanes {
		all.Go(func() { l.run(t, end) })
	}
	all.Wait()
}

func (l *lane) run(t *testing.T, end time.Time) {
	e, err := l.open()
	for ; err == nil && (l.runs == 0 || time.Now().Before(end)) && !t.Failed(); l.runs++ {
		if l.random.IntN(50) == 0 {
			l.reopened++
			if err = e.Close(); err != nil {
				break
			}
			if e, err = l.open(); err != nil {
				break
			}
		}
		err = l.one(t, e, l.scripts[l.random.IntN(len(l.scripts))])
	}
	if e != nil {
		if err := e.Close(); err != nil {
			t.Errorf("%s: %v", l.name, err)
		}
	}
	if err != nil {
		t.Errorf("%s: %v", l.name, err)
	}
}

// one runs one script. On a busy machine it may run out of time first, in a
// worker so badly that it counts as hung.
func (l *lane) one(t *testing.T, e executor.Executor, s *hostile.Script) error {
	r, err := hostile.Run(t.Context(), e, s)
	if err != nil {
		return fmt.Errorf("%s: %w", s.Name, err)
	}
	out := []string{executor.Timeout.String(), executor.Hung.String()}
	if r.Ending == out[1] {
		l.hung++
	}
	if !slices.Contains(l.right(s), r.Ending) && (!slices.Contains(out, r.Ending) || r.Took < soakLimit) {
		t.Errorf("%s: %s ended with %s after %v (%s), want %v", l.name, s.Name, r.Ending, r.Took, r.Detail, l.right(s))
	}
	if r.Next != "" {
		t.Errorf("%s: %s, then the known good rule: %s", l.name, s.Name, r.Next)
	}
	return nil
}

// stock is what a process has.
type stock struct {
	resident                                  float64
	threads, watchdogs, descriptors, children int
}

func takeStock(t *testing.T) stock {
	t.Helper()
	debug.FreeOSMemory()
	s := stock{resident: resident(t), watchdogs: watchdogs(t)}
	for dir, n := range map[string]*int{"/proc/self/task": &s.threads, "/proc/self/fd": &s.descriptors} {
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		*n = len(entries)
	}
	lists, err := filepath.Glob("/proc/self/task/*/children")
	if err != nil {
		t.Fatal(err)
	}
	for _, list := range lists {
		text, _ := os.ReadFile(list) // the thread may have ended
		s.children += len(strings.Fields(string(text)))
	}
	return s
}

func (s stock) String() string {
	return fmt.Sprintf("%.1f MiB, %d threads, %d descriptors, %d child processes", s.resident/(1<<20), s.threads, s.descriptors, s.children)
}
