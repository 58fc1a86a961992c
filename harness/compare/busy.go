package compare

import "github.com/ddsabench/ddsabench/harness"

// A machine is busy with other work from these shares of its capacity on. What
// others take from a sample disturbs it more than it shows.
const (
	busyShare  = 0.10 // work of other processes
	stealShare = 0.01 // time that the hypervisor gave to other machines
)

// busy is how many of the samples were taken on a busy machine.
func (t table) busy(cores int) int {
	n := 0
	for _, samples := range t.samples {
		for _, s := range samples {
			if disturbed(s, cores) {
				n++
			}
		}
	}
	return n
}

// disturbed says whether the machine was busy with other work during s. The
// load average would not tell: it counts the sample itself, and lags.
func disturbed(s *harness.Sample, cores int) bool {
	capacity := float64(s.End-s.Start) * float64(cores)
	if capacity <= 0 || s.LoadAfter.Busy == 0 {
		return false // not known
	}
	f := s.Figures
	own := f.Before.User + f.Before.System + f.Job.User + f.Job.System
	others := s.LoadAfter.Busy - s.LoadBefore.Busy - own
	steal := s.LoadAfter.Steal - s.LoadBefore.Steal
	return float64(others) > busyShare*capacity || float64(steal) > stealShare*capacity
}

// counted is the number of counted samples with figures.
func (s *Summary) counted() int {
	n := 0
	for _, cell := range s.Rows[0].Cells {
		n += cell.N
	}
	return n
}

// mostlyBusy says whether more than half of the samples were disturbed.
func (s *Summary) mostlyBusy() bool { return 2*s.Busy > s.counted() }
