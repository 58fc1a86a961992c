package v8

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

func TestCall(t *testing.T) {
	iso := newIsolate(t, plain, nil)
	for _, c := range []struct{ body, text, fail string }{
		{"return 'x'", "x", ""},
		{"return 'a\\0😀\\ud800'", "a\x00😀\ufffd", ""},
		{"return 1", "", ""},
		{"", "", ""},
		{"throw 'x'", "", "Uncaught x\n    at script:2:1"},
		{"throw new Error('x')", "", "Uncaught Error: x\n    at script:2:7\n    at setup:1:31"},
		{"eval('1')", "", "Uncaught EvalError: Code generation from strings disallowed for this context\n    at script:2:1\n    at setup:1:31"},
		{"return typeof WebAssembly + typeof SharedArrayBuffer", "undefinedundefined", ""},
		{"return new Error('x').stack.split('\\n')[1].trim()", "at script:2:8", ""},
	} {
		text, err := call(t, iso, "\n"+c.body)
		var script *ScriptError
		errors.As(err, &script)
		switch {
		case c.fail == "" && (err != nil || text != c.text):
			t.Errorf("%q: %q, error %v", c.body, text, err)
		case c.fail != "" && (script == nil || script.Text != c.fail || script.Syntax || text != ""):
			t.Errorf("%q: %q, error %q", c.body, text, err)
		}
	}
}

func TestCompileErrors(t *testing.T) {
	iso := newIsolate(t, plain, nil)
	c := newContext(t, iso)
	for body, want := range map[string]string{
		"\n (":         "Uncaught SyntaxError: Unexpected end of input\n    at script:7:3",
		"} x() {":      "Uncaught SyntaxError: Unexpected token '}'\n    at script:6:1",
		"import x":     "Uncaught SyntaxError: Cannot use import statement outside a module\n    at script:6:1",
		"return '\xff": "Uncaught SyntaxError: Invalid or unexpected token\n    at script:6:8",
	} {
		f, err := c.Compile(Source{Name: "script", Body: body, LineOffset: 5})
		var script *ScriptError
		if f != nil || !errors.As(err, &script) || !script.Syntax || script.Text != want {
			t.Errorf("%q: %v, error %q", body, f, err)
		}
	}
}

// A function sees each call's file, and the setup's four arguments work.
func TestHost(t *testing.T) {
	iso := newIsolate(t, NewSetup(`
		let mem = memory, from;
		return (f, moved, config) => {
			if (config !== undefined) { from = config; return; }
			if (moved !== undefined) mem = moved;
			mem[0]++;
			return f && [from, text(), navigate(0, 1, 2, 3), mem.length, grow(1e9), f()].join();
		}`), nil)
	f := compile(t, newContext(t, iso), "return 'f'")
	iso.Memory()[0] = 41
	for i, file := range []File{
		{ID: 1, Text: "abc", ASCII: true}, {ID: 1, Text: "not read"}, {ID: 2, Text: "ä😀"}, {ID: 3},
	} {
		if i == 2 {
			if err := iso.Grow(5000); err != nil {
				t.Fatal(err)
			}
		}
		want := "config," + []string{"abc", "abc", "ä😀", ""}[i] + ",-1," + []string{"4096", "4096", "8192", "8192"}[i] + ",,f"
		if got, err := f.Call(&file); got != want || err != nil {
			t.Errorf("call %d: %q, error %v, want %q", i, got, err, want)
		}
	}
	if got := iso.Memory()[0]; got != 45 {
		t.Errorf("the memory's first word is %d, want 45", got)
	}
	if n := iso.TextsMade(); n != 3 {
		t.Errorf("%d texts were made, want 3", n)
	}
	if err := iso.Grow(1 << 17); !errors.Is(err, ErrMemorySize) {
		t.Errorf("error %v", err)
	}
}

// The memory moves while a script has it; the old block lives until then.
func TestMemoryGrowsDuringCall(t *testing.T) {
	iso := newIsolate(t, NewSetup(`
		let mem = memory;
		return (f, moved) => {
			if (!f) return;
			if (moved !== undefined) mem = moved;
			const old = mem;
			old[1] = 7;
			mem = grow(mem.length + 1);
			old[1] = 8;
			mem[mem.length - 1] = 9;
			return [old.length, old[1], mem.length, mem[1], moved !== undefined].join();
		}`), nil)
	a, b := compile(t, newContext(t, iso), ""), compile(t, newContext(t, iso), "")
	for i, f := range []*Function{a, b, a} {
		n := 4096 << i
		want := fmt.Sprintf("%d,8,%d,7,%v", n, 2*n, i > 0)
		if got, err := f.Call(&File{}); got != want || err != nil {
			t.Errorf("call %d: %q, error %v, want %q", i, got, err, want)
		}
		if words := iso.Memory(); len(words) != 2*n || words[2*n-1] != 9 {
			t.Errorf("call %d: %d words", i, len(words))
		}
	}
}

// Microtasks run within the call, a context's own only, and what they throw is
// nobody's business.
func TestMicrotasks(t *testing.T) {
	iso := newIsolate(t, NewSetup("let n = 0; return (f) => f ? f().call(null, () => ++n) : undefined"), nil)
	f, err := newContext(t, iso).Compile(Source{Name: "script", Async: true, Body: `return (count) => {
		Promise.resolve().then(count).then(count).then(() => { throw 1 });
		return String(count()); }`})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"1", "4", "7"} {
		if got, err := f.Call(&File{}); got != want || err != nil {
			t.Errorf("%q, error %v, want %q", got, err, want)
		}
	}
	if err := f.Dispose(); err != nil {
		t.Error(err)
	}
}

// The runner is called once more after a throw, and always for an async function,
// when its microtasks have run.
func TestAsync(t *testing.T) {
	iso := newIsolate(t, NewSetup(`return (f) => { if (f) f(memory); else memory[0] = memory[1] * 10; }`), nil)
	c := newContext(t, iso)
	for _, test := range []struct {
		body  string
		async bool
		want  uint32
	}{
		{"Promise.resolve().then(() => arguments[0][1] = 1)", false, 5},
		{"Promise.resolve().then(() => arguments[0][1] = 1)", true, 10},
		{"Promise.resolve().then(() => arguments[0][1] = 2); throw 1", true, 20},
		{"throw 1", false, 20},
		{"", false, 5},
	} {
		f, err := c.Compile(Source{Name: "script", Body: test.body, Async: test.async})
		if err != nil {
			t.Fatal(err)
		}
		iso.Memory()[0] = 5
		_, err = f.Call(&File{})
		if thrown := strings.Contains(test.body, "throw"); thrown != (err != nil) {
			t.Errorf("%s: error %v", test.body, err)
		}
		if got := iso.Memory()[0]; got != test.want {
			t.Errorf("%s: %d, want %d", test.body, got, test.want)
		}
		if err := f.Dispose(); err != nil {
			t.Error(err)
		}
	}
}

func TestBrokenSetup(t *testing.T) {
	for source, want := range map[string]string{
		"throw 'x'":                "Uncaught x\n    at setup:1:1",
		"(":                        "Uncaught SyntaxError: Unexpected end of input\n    at setup:1:2",
		"return () => { throw 2 }": "Uncaught 2\n    at setup:1:16",
	} {
		setup := NewSetup(source)
		iso := newIsolate(t, setup, nil)
		_, err := iso.NewContext("")
		var script *ScriptError
		if !errors.As(err, &script) || !strings.HasPrefix(script.Text, want) {
			t.Errorf("%q: error %q", source, err)
		}
		defer setup.Dispose()
	}
}
