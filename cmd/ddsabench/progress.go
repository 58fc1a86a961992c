package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"github.com/ddsabench/ddsabench/harness/compare"
)

// A progress tells how far a comparison is: with a bar on a terminal, with a
// line for each sample elsewhere.
type progress struct {
	w    io.Writer
	bar  *progressbar.ProgressBar // nil: lines
	last string                   // the line that was told last
}

func newProgress(w io.Writer) *progress {
	p := &progress{w: w}
	if terminal(w) {
		p.bar = progressbar.NewOptions(1, progressbar.OptionSetWriter(w), progressbar.OptionSetWidth(20),
			progressbar.OptionSetPredictTime(false), progressbar.OptionShowDescriptionAtLineEnd())
	}
	return p
}

func terminal(w io.Writer) bool {
	if out, ok := w.(*output); ok {
		w = out.w
	}
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// steps is what one sample is worth on the bar.
const steps = 100

func (p *progress) sample(s compare.Progress) {
	line := what(s)
	if p.bar != nil {
		// A terminal that is gone is no reason to stop.
		if s.Void != "" {
			_ = p.bar.Clear()
		} else if !s.Locating {
			p.bar.ChangeMax(s.Samples * steps)
			p.bar.Describe(line)
			_ = p.bar.Set((s.Sample-1)*steps + steps*s.Done/max(s.Files, 1))
		}
	}
	if s.Void != "" {
		fmt.Fprintf(p.w, "%s gave no figures: %s\n", line, plain(s.Void))
	} else if p.bar == nil && line != p.last {
		fmt.Fprintln(p.w, line)
	}
	p.last = line
}

// within tells how far a comparison is that goes on for a certain time.
func (p *progress) within(s compare.Progress, gone, budget time.Duration) {
	if s.Void != "" {
		p.sample(s)
	} else if p.bar != nil {
		p.bar.ChangeMax(steps)
		p.bar.Describe(fmt.Sprintf("round %d: %s", s.Round, s.Arm))
		_ = p.bar.Set(int(steps * min(gone, budget) / max(budget, 1)))
	}
}

// script tells which hostile script is running, on a terminal only.
func (p *progress) script(done, of int, name string) {
	if p.bar != nil {
		p.bar.ChangeMax(of)
		p.bar.Describe(name)
		_ = p.bar.Set(done)
	}
}

func (p *progress) end() {
	if p.bar != nil {
		_ = p.bar.Clear()
	}
}

func what(s compare.Progress) string {
	switch {
	case s.Locating:
		return "finding out where findings differ: " + s.Arm
	case s.Traced:
		return fmt.Sprintf("sample %d of %d: %s, counted pass", s.Sample, s.Samples, s.Arm)
	case s.Warmup:
		return fmt.Sprintf("sample %d of %d: %s, warm-up", s.Sample, s.Samples, s.Arm)
	}
	return fmt.Sprintf("sample %d of %d: %s", s.Sample, s.Samples, s.Arm)
}
