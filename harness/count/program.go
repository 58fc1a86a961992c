package count

import (
	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/asm"
	"golang.org/x/sys/unix"

	"github.com/ddsabench/ddsabench/harness"
)

// counted are the system calls that are counted, and their numbers.
var counted = []struct {
	name   harness.Counter
	number int32
}{
	{harness.Mmap, unix.SYS_MMAP},
	{harness.Munmap, unix.SYS_MUNMAP},
	{harness.Mremap, unix.SYS_MREMAP},
	{harness.Brk, unix.SYS_BRK},
	{harness.Madvise, unix.SYS_MADVISE},
	{harness.Mprotect, unix.SYS_MPROTECT},
	{harness.Futex, unix.SYS_FUTEX},
}

// The places in the counts map: those of counted come first.
var (
	placeThreads      = int32(len(counted))
	placeProcesses    = placeThreads + 1
	placeExits        = placeThreads + 2
	placeSwitches     = placeThreads + 3
	placeLost         = placeThreads + 4 // events
	placeUntracked    = placeThreads + 5 // processes
	placeFailedUnmaps = placeThreads + 6
	places            = placeThreads + 7
)

// An event is told from others by a system call's number or one of these.
const (
	eventExec = 1<<16 + iota
	eventBirth
	eventDeath
)

// The stack of a program, as offsets from its frame pointer. The event is
// laid out as the type event, and it is what the ring buffer gets.
const (
	onStackEvent  = -48
	onStackTgid   = -52
	onStackKey    = -56
	onStackNumber = -60
	onStackPidns  = -72 // struct bpf_pidns_info: pid, tgid
	eventSize     = 48
)

// A tracer writes the programs of one counting. A program first finds out
// whether the current process is of the counted family; if not, it ends.
type tracer struct {
	tracked *ebpf.Map // tgid -> 1, numbers as the first pid namespace has them
	counts  *ebpf.Map // place -> count
	events  *ebpf.Map // ring buffer
	// The process, by its number in the pid namespace of this program.
	pid     int
	pidns   unix.Stat_t
	taskPid int16 // offset of pid in the kernel's struct task_struct
}

// programs returns a program for each raw tracepoint.
func (t *tracer) programs() map[string]asm.Instructions {
	return map[string]asm.Instructions{
		"sys_enter":          t.enter(),
		"sys_exit":           t.exit(),
		"task_newtask":       t.newtask(),
		"sched_process_exit": join(t.family(false), event(eventDeath), t.emit(), t.count(placeExits), end()),
		"sched_process_exec": join(t.family(false), event(eventExec), t.emit(), end()),
		"sched_switch":       join(t.family(false), t.count(placeSwitches), end()),
	}
}

// family keeps the context in R6 and the current process's number on the stack,
// and ends the program unless the process is tracked. With find, the process
// is tracked from here on if it is the one to count. It is recognized by its
// number in our pid namespace, because its number in the first one, which all
// else goes by, cannot be had from outside.
func (t *tracer) family(find bool) asm.Instructions {
	look := asm.Instructions{
		asm.Mov.Reg(asm.R6, asm.R1),
		asm.FnGetCurrentPidTgid.Call(),
		asm.RSh.Imm(asm.R0, 32),
		asm.StoreMem(asm.RFP, onStackTgid, asm.R0, asm.Word),
		asm.LoadMapPtr(asm.R1, t.tracked.FD()),
		asm.Mov.Reg(asm.R2, asm.RFP),
		asm.Add.Imm(asm.R2, onStackTgid),
		asm.FnMapLookupElem.Call(),
	}
	if !find {
		return append(look, asm.JEq.Imm(asm.R0, 0, "end"))
	}
	return join(look, asm.Instructions{
		asm.JNE.Imm(asm.R0, 0, "ours"),
		asm.LoadImm(asm.R1, int64(t.pidns.Dev), asm.DWord),
		asm.LoadImm(asm.R2, int64(t.pidns.Ino), asm.DWord),
		asm.Mov.Reg(asm.R3, asm.RFP),
		asm.Add.Imm(asm.R3, onStackPidns),
		asm.Mov.Imm(asm.R4, 8),
		asm.FnGetNsCurrentPidTgid.Call(),
		asm.JNE.Imm(asm.R0, 0, "end"), // in another namespace
		asm.LoadMem(asm.R1, asm.RFP, onStackPidns+4, asm.Word),
		asm.JNE.Imm(asm.R1, int32(t.pid), "end"),
	}, t.track(), label("ours"))
}

// track makes the process whose number is on the stack tracked. R0 is 0 unless
// there was no room.
func (t *tracer) track() asm.Instructions {
	return asm.Instructions{
		asm.StoreImm(asm.RFP, onStackKey, 1, asm.Word),
		asm.LoadMapPtr(asm.R1, t.tracked.FD()),
		asm.Mov.Reg(asm.R2, asm.RFP),
		asm.Add.Imm(asm.R2, onStackTgid),
		asm.Mov.Reg(asm.R3, asm.RFP),
		asm.Add.Imm(asm.R3, onStackKey),
		asm.Mov.Imm(asm.R4, 0),
		asm.FnMapUpdateElem.Call(),
	}
}

// count adds 1 at a place.
func (t *tracer) count(place int32) asm.Instructions {
	return append(asm.Instructions{asm.Mov.Imm(asm.R1, place)}, t.countR1()...)
}

func (t *tracer) countR1() asm.Instructions {
	return asm.Instructions{
		asm.StoreMem(asm.RFP, onStackKey, asm.R1, asm.Word),
		asm.LoadMapPtr(asm.R1, t.counts.FD()),
		asm.Mov.Reg(asm.R2, asm.RFP),
		asm.Add.Imm(asm.R2, onStackKey),
		asm.FnMapLookupElem.Call(),
		asm.JEq.Imm(asm.R0, 0, "end"), // cannot be, but the verifier asks for it
		asm.Mov.Imm(asm.R1, 1),
		asm.AddAtomic.Mem(asm.R0, asm.R1, asm.DWord, 0),
	}
}

// event fills the event on the stack with a kind and nothing else.
func event(kind int64) asm.Instructions {
	text := asm.Instructions{
		asm.StoreImm(asm.RFP, onStackEvent, kind, asm.Word),
		asm.Mov.Imm(asm.R1, 0),
	}
	for at := int16(8); at < eventSize; at += 8 {
		text = append(text, asm.StoreMem(asm.RFP, onStackEvent+at, asm.R1, asm.DWord))
	}
	return text
}

// emit sends the event on the stack. The reader is not woken: it would take the
// processor from the child at every event, and look for work that it finds by
// itself soon enough. An event that finds the buffer full is counted as lost.
func (t *tracer) emit() asm.Instructions {
	return join(asm.Instructions{
		asm.LoadMem(asm.R1, asm.RFP, onStackTgid, asm.Word),
		asm.StoreMem(asm.RFP, onStackEvent+4, asm.R1, asm.Word),
		asm.LoadMapPtr(asm.R1, t.events.FD()),
		asm.Mov.Reg(asm.R2, asm.RFP),
		asm.Add.Imm(asm.R2, onStackEvent),
		asm.Mov.Imm(asm.R3, eventSize),
		asm.Mov.Imm(asm.R4, unix.BPF_RB_NO_WAKEUP),
		asm.FnRingbufOutput.Call(),
		asm.JEq.Imm(asm.R0, 0, "sent"),
	}, t.count(placeLost), label("sent"))
}

// end ends a program. Its label may be jumped to from anywhere.
func end() asm.Instructions {
	return asm.Instructions{asm.Mov.Imm(asm.R0, 0).WithSymbol("end"), asm.Return()}
}

// label is a place to jump to: an instruction that does nothing.
func label(name string) asm.Instructions {
	return asm.Instructions{asm.Mov.Reg(asm.R6, asm.R6).WithSymbol(name)}
}

func join(parts ...asm.Instructions) asm.Instructions {
	var all asm.Instructions
	for _, p := range parts {
		all = append(all, p...)
	}
	return all
}
