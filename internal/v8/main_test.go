package v8

import (
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// setups are kept for all tests, as a program keeps its own.
var plain = NewSetup(`return (f) => { if (f) return f(); }`)

// newIsolate makes an isolate that is disposed at the test's end.
func newIsolate(t testing.TB, setup *Setup, change func(*Options)) *Isolate {
	t.Helper()
	o := Options{Heap: 64 << 20, Buffers: 8 << 20, Memory: 1 << 16, Setup: setup}
	if change != nil {
		change(&o)
	}
	iso, err := NewIsolate(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := iso.Dispose(); err != nil {
			t.Error(err)
		}
	})
	return iso
}

// newContext makes a context that is disposed at the test's end.
func newContext(t testing.TB, iso *Isolate) *Context {
	t.Helper()
	c, err := iso.NewContext("config")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Dispose(); err != nil {
			t.Error(err)
		}
	})
	return c
}

// compile makes a function that is disposed at the test's end.
func compile(t testing.TB, c *Context, body string) *Function {
	t.Helper()
	f, err := c.Compile(Source{Name: "script", Body: body})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := f.Dispose(); err != nil {
			t.Error(err)
		}
	})
	return f
}

// call compiles and calls body in a new context.
func call(t testing.TB, iso *Isolate, body string) (string, error) {
	t.Helper()
	return compile(t, newContext(t, iso), body).Call(&File{})
}
