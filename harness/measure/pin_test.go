package measure

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// A pinned child may use the given core only, from before its first step, and
// this process all that it could before.
func TestRunnerPin(t *testing.T) {
	var before unix.CPUSet
	if err := unix.SchedGetaffinity(0, &before); err != nil {
		t.Fatal(err)
	}
	core := 0
	for !before.IsSet(core) {
		core++
	}
	r := runner("good")
	r.Pin = []int{core}
	var status string
	r.Attach = func(pid int) (func(), error) {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
		status = string(text)
		return nil, err
	}
	if s, err := r.Run(t.Context(), fakeSpec(), Events{}); err != nil || s.Void != nil {
		t.Fatalf("%+v, %v", s, err)
	}
	if want := fmt.Sprintf("Cpus_allowed_list:\t%d\n", core); !strings.Contains(status, want) {
		t.Errorf("no %q in\n%s", want, status)
	}
	tasks, err := os.ReadDir("/proc/self/task")
	if err != nil {
		t.Fatal(err)
	}
	for _, task := range tasks {
		text, err := os.ReadFile("/proc/self/task/" + task.Name() + "/status")
		if err == nil && before.Count() > 1 && strings.Contains(string(text), fmt.Sprintf("Cpus_allowed_list:\t%d\n", core)) {
			t.Errorf("thread %s of the parent is still confined", task.Name())
		}
	}
}

func TestRunnerPinImpossible(t *testing.T) {
	r := runner("good")
	r.Pin = []int{1023}
	if s, err := r.Run(t.Context(), fakeSpec(), Events{}); err == nil || !strings.Contains(err.Error(), "confine to cores [1023]") {
		t.Errorf("%+v, %v", s, err)
	}
}
