package v8

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestVersion(t *testing.T) {
	if v := Version(); !strings.HasPrefix(v, "10.2.") {
		t.Errorf("version %q", v)
	}
}

// Buffers are outside of the heap; over the cap a script sees a RangeError.
func TestBufferCap(t *testing.T) {
	iso := newIsolate(t, plain, nil)
	for i := range 3 {
		got, err := call(t, iso, `
			const kept = [];
			try { for (;;) kept.push(new Uint8Array(1 << 20)) } catch (e) { return e.name + kept.length }`)
		if err != nil || got < "RangeError6" || got > "RangeError8" { // the memory itself counts, too
			t.Errorf("round %d: %q, error %v", i, got, err)
		}
	}
	for _, n := range []string{"1e9", "2 ** 33", "-1"} {
		if got, err := call(t, iso, "try { new ArrayBuffer("+n+") } catch (e) { return e.name }"); err != nil || got != "RangeError" {
			t.Errorf("%s bytes: %q, error %v", n, got, err)
		}
	}
	if h := iso.HeapStatistics(); h.Buffers > 8<<20 || h.Limit < 32<<20 || h.Used == 0 {
		t.Errorf("%+v", h)
	}
}

// The near-heap-limit hook can terminate; afterwards the limit is as before.
func TestHeapLimit(t *testing.T) {
	var iso *Isolate
	hits := 0
	iso = newIsolate(t, plain, func(o *Options) {
		o.Heap = 16 << 20
		o.NearHeapLimit = func() { hits++; iso.Terminate() }
	})
	before := iso.HeapStatistics().Limit
	for i := range 5 {
		c, err := iso.NewContext("")
		if err != nil {
			t.Fatal(err)
		}
		f, err := c.Compile(Source{Name: "script", Body: "const a = []; for (;;) a.push({ x: 1 })"})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Call(&File{}); !errors.Is(err, ErrTerminated) || hits != i+1 {
			t.Fatalf("round %d: error %v, %d hits", i, err, hits)
		}
		iso.Cancel()
		if err := errors.Join(f.Dispose(), c.Dispose(), iso.RecoverHeap()); err != nil {
			t.Fatal(err)
		}
		if after := iso.HeapStatistics().Limit; after != before {
			t.Errorf("round %d: limit %d, before it was %d", i, after, before)
		}
	}
}

// A termination ends the script that runs, or else the next one; cancelled, it
// ends none.
func TestTerminate(t *testing.T) {
	iso := newIsolate(t, plain, nil)
	c := newContext(t, iso)
	fine, endless := compile(t, c, "return 'fine'"), compile(t, c, "for (;;);")
	wantFine := func() {
		t.Helper()
		if got, err := fine.Call(&File{}); got != "fine" || err != nil {
			t.Errorf("%q, error %v", got, err)
		}
	}
	wantFine()
	iso.Terminate()
	if _, err := endless.Call(&File{}); !errors.Is(err, ErrTerminated) {
		t.Errorf("error %v", err)
	}
	iso.Cancel()
	wantFine()
	iso.Terminate()
	iso.Cancel()
	wantFine()
	for range 20 {
		var other sync.WaitGroup
		other.Go(iso.Terminate) // before the script, or during it
		if _, err := endless.Call(&File{}); !errors.Is(err, ErrTerminated) {
			t.Errorf("error %v", err)
		}
		other.Wait()
		iso.Cancel()
		wantFine()
	}
}

// A termination may come at any point of any call: it gives the right result or
// ErrTerminated, never a crash, and after Cancel all is well.
func TestTerminateAtAnyPoint(t *testing.T) {
	setup := NewSetup(`
		const all = [];
		for (let i = 0; i < 300; i++) all[i] = Object.freeze({ i, f: () => text() });
		return (f) => { if (f) return f() + all[1].f(); }`)
	iso := newIsolate(t, setup, nil)
	terminated := 0
	for i := range 300 {
		var other sync.WaitGroup
		pause := rand.N(2 * time.Millisecond)
		other.Go(func() {
			timer := time.NewTimer(pause)
			<-timer.C
			iso.Terminate()
		})
		c, err := iso.NewContext("config")
		if err == nil {
			var f *Function
			if f, err = c.Compile(Source{Name: "script", Async: i%2 == 0, Body: "Promise.resolve().then(() => 1); throw { toString() { throw 'x' } }"}); err == nil {
				_, err = f.Call(&File{ID: uint64(i), Text: "täxt"})
				if e := f.Dispose(); e != nil {
					t.Error(e)
				}
			}
			if e := c.Dispose(); e != nil {
				t.Error(e)
			}
		}
		var script *ScriptError
		if errors.Is(err, ErrTerminated) {
			terminated++
		} else if !errors.As(err, &script) || script.Text != "Uncaught [object Object]\n    at script:1:34" {
			t.Fatalf("round %d: error %v", i, err)
		}
		other.Wait()
		iso.Cancel()
		if got, err := call(t, iso, "return 'fine'"); got != "fine" || err != nil {
			t.Fatalf("after round %d: %q, error %v", i, got, err)
		}
	}
	t.Logf("%d of 300 were terminated", terminated)
}

func TestBusyAndDisposed(t *testing.T) {
	var iso *Isolate
	var during []error
	iso = newIsolate(t, plain, func(o *Options) {
		o.Heap = 16 << 20
		o.NearHeapLimit = func() {
			defer iso.Terminate()
			_, err := iso.NewContext("")
			during = append(during, err, iso.Dispose(), iso.RecoverHeap(), iso.Grow(1<<15))
		}
	})
	c := newContext(t, iso)
	f := compile(t, c, "const a = []; for (;;) a.push({ x: 1 })")
	if _, err := f.Call(&File{}); !errors.Is(err, ErrTerminated) {
		t.Fatal(err)
	}
	iso.Cancel()
	for _, err := range during {
		if !errors.Is(err, ErrBusy) {
			t.Errorf("during a call: %v", err)
		}
	}

	gone, err := NewIsolate(Options{Heap: 16 << 20, Memory: 1, Setup: plain})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(gone.Dispose(), gone.Dispose()); err != nil {
		t.Error(err)
	}
	if _, err := gone.NewContext(""); !errors.Is(err, ErrDisposed) {
		t.Errorf("error %v", err)
	}
	if h := gone.HeapStatistics(); h != (HeapStatistics{}) || gone.Memory() != nil || gone.TextsMade() != 0 {
		t.Errorf("a disposed isolate has %+v, %d words", h, len(gone.Memory()))
	}
	if _, err := NewIsolate(Options{}); err == nil {
		t.Error("an isolate without a setup")
	}
}

// Many isolates at once, with one setup and its cached code.
func TestManyIsolates(t *testing.T) {
	setup := NewSetup("const f = (s) => s + s; return (g) => g && f(g())")
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for range 3 {
				iso, err := NewIsolate(Options{Heap: 16 << 20, Memory: 16, Setup: setup})
				if err != nil {
					t.Error(err)
					return
				}
				c, err := iso.NewContext("")
				if err != nil {
					t.Error(err)
					return
				}
				f, err := c.Compile(Source{Body: fmt.Sprintf("return '%d'", i)})
				if err != nil {
					t.Error(err)
					return
				}
				if got, err := f.Call(&File{}); got != fmt.Sprintf("%d%d", i, i) || err != nil {
					t.Errorf("%q, error %v", got, err)
				}
				if err := errors.Join(f.Dispose(), c.Dispose(), iso.Dispose()); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	setup.Dispose()
}
