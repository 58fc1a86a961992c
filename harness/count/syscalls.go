package count

import (
	"github.com/cilium/ebpf/asm"
	"golang.org/x/sys/unix"
)

// The programs that see system calls. When an event is sent matters, because
// threads run at once: the memory of a munmap is free for another thread's mmap
// before the munmap returns, so it is sent when the call starts. An mmap has its
// address only when it returns, and nobody else can know that before.

// enter counts calls, and sends those to munmap.
// Context: struct pt_regs *, number.
func (t *tracer) enter() asm.Instructions {
	text := join(t.family(true), asm.Instructions{asm.LoadMem(asm.R8, asm.R6, 8, asm.DWord)})
	for i, call := range counted {
		next := "not " + string(call.name)
		text = append(text,
			asm.JNE.Imm(asm.R8, call.number, next),
			asm.Mov.Imm(asm.R1, int32(i)),
			asm.Ja.Label("count"),
		)
		text = append(text, label(next)...)
	}
	return join(text,
		asm.Instructions{asm.Ja.Label("end")},
		label("count"), t.countR1(),
		asm.Instructions{
			asm.JNE.Imm(asm.R8, unix.SYS_MUNMAP, "end"),
			asm.Mov.Imm(asm.R9, 0),
		},
		t.call(), t.emit(), end(),
	)
}

// exit sends successful calls that map or open memory, and counts failed ones
// to munmap, which were sent already.
// Context: struct pt_regs *, result.
func (t *tracer) exit() asm.Instructions {
	return join(t.family(true),
		asm.Instructions{asm.LoadMem(asm.R9, asm.R6, 8, asm.DWord)},
		read(onStackNumber, 4, callNumber),
		asm.Instructions{
			asm.LoadMem(asm.R8, asm.RFP, onStackNumber, asm.Word),
			asm.JEq.Imm(asm.R8, unix.SYS_MMAP, "maps"),
			asm.JEq.Imm(asm.R8, unix.SYS_MREMAP, "maps"),
			asm.JEq.Imm(asm.R8, unix.SYS_MPROTECT, "maps"),
			asm.JNE.Imm(asm.R8, unix.SYS_MUNMAP, "end"),
			asm.JEq.Imm(asm.R9, 0, "end"),
		},
		t.count(placeFailedUnmaps),
		asm.Instructions{asm.Ja.Label("end")},
		label("maps"),
		asm.Instructions{
			asm.Mov.Imm(asm.R1, -4096), // results above are error numbers
			asm.JGT.Reg(asm.R9, asm.R1, "end"),
		},
		t.call(), t.emit(), end(),
	)
}

// call fills the event with the call whose number is in R8 and result in R9.
func (t *tracer) call() asm.Instructions {
	text := asm.Instructions{
		asm.StoreMem(asm.RFP, onStackEvent, asm.R8, asm.Word),
		asm.StoreMem(asm.RFP, onStackEvent+40, asm.R9, asm.DWord),
	}
	for i, offset := range callArguments {
		text = append(text, read(onStackEvent+8+8*int16(i), 8, offset)...)
	}
	return text
}

// newtask counts threads and processes when they are made, before they run, and
// has a new process tracked.
// Context: struct task_struct *, clone flags.
func (t *tracer) newtask() asm.Instructions {
	return join(t.family(false),
		event(eventBirth), t.emit(),
		asm.Instructions{
			asm.LoadMem(asm.R7, asm.R6, 8, asm.DWord),
			asm.And.Imm(asm.R7, unix.CLONE_THREAD),
			asm.JEq.Imm(asm.R7, 0, "process"),
		},
		t.count(placeThreads),
		asm.Instructions{asm.Ja.Label("end")},
		label("process"), t.count(placeProcesses),
		read(onStackTgid, 4, t.taskPid), t.track(),
		asm.Instructions{asm.JEq.Imm(asm.R0, 0, "end")},
		t.count(placeUntracked), end(),
	)
}

// read copies size bytes at an offset of what the context's first word points
// to.
func read(to int16, size int32, offset int16) asm.Instructions {
	return asm.Instructions{
		asm.Mov.Reg(asm.R1, asm.RFP),
		asm.Add.Imm(asm.R1, int32(to)),
		asm.Mov.Imm(asm.R2, size),
		asm.LoadMem(asm.R3, asm.R6, 0, asm.DWord),
		asm.Add.Imm(asm.R3, int32(offset)),
		asm.FnProbeReadKernel.Call(),
	}
}
