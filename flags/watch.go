package flags

import (
	"bytes"
	"fmt"
	"time"
)

// pollEvery is how often the file is read. New content counts when it was seen
// twice in a row, which takes twice as long: a writer that is halfway through
// is not taken at its half word.
//
// The file is read each time, and not watched by inotify: Kubernetes replaces
// a symbolic link in another folder, editors replace the file, network file
// systems tell nothing, and a time stamp may stay the same. A read of three
// lines finds all of these.
const pollEvery = 200 * time.Millisecond

// A fileState is what is known of the file. The zero value is no file.
type fileState struct {
	good values // the last good content, and a kill that a wrong one switched on
	read bool   // there was good content
	err  error  // what is wrong with the present content
	code ErrorCode
}

// A watcher follows the file. It belongs to one goroutine at a time.
type watcher struct {
	name    string
	changed func(fileState) // what counts may have changed
	state   fileState
	last    reading // what was seen last
}

// A reading is what one look at the file gave.
type reading struct {
	text []byte
	err  error
}

func (r reading) same(other reading) bool {
	return fmt.Sprint(r.err) == fmt.Sprint(other.err) && bytes.Equal(r.text, other.text)
}

// begin reads the file for the first time and takes what it finds.
func (w *watcher) begin() {
	w.last = w.look()
	w.take(w.last)
}

func (w *watcher) look() (r reading) {
	r.text, r.err = readFile(w.name)
	return r
}

// watch follows the file until stop is closed.
func (w *watcher) watch(stop <-chan struct{}) {
	ticker := time.NewTicker(pollEvery)
	defer ticker.Stop()
	taken := true // the last reading counts already
	for {
		select {
		case <-stop:
			return
		case <-ticker.C:
		}
		now := w.look()
		settled := now.same(w.last)
		w.last = now
		if settled && !taken {
			w.take(now)
		}
		taken = settled
	}
}

// take has a reading count.
func (w *watcher) take(r reading) {
	if r.err != nil {
		w.state.err, w.state.code = r.err, General
	} else if v, err := parseFile(r.text); err != nil {
		w.state.err, w.state.code = fmt.Errorf("%s: %w", w.name, err), ParseError
		w.state.good.kill = w.state.good.kill || v.kill // only good content ends a kill
	} else {
		w.state = fileState{good: v, read: true}
	}
	w.changed(w.state)
}
