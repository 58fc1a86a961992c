package rules

import (
	"errors"
	"testing"
)

// The readers' one promise on any input: sets or faults, never both or neither,
// and no panic.
func load(t *testing.T, name string, data []byte) {
	l := newLoader(Options{})
	defer l.close()
	sets, err := l.result(l.file(name, data))
	var faults Faults
	if (len(sets) > 0) == (err != nil) || err != nil && !errors.As(err, &faults) {
		t.Errorf("sets %v with error %v", sets, err)
	}
	for _, f := range faults {
		if f.Problem == "" || f.Line < 0 || f.Line > 0 && f.Column < 1 {
			t.Errorf("fault without problem or place: %+v", f)
		}
	}
	for _, r := range All(sets) {
		if r.Name == "" || r.Code == "" || r.Query == "" || r.Language == "" {
			t.Errorf("half a rule: %+v", r)
		}
	}
}

func FuzzYAML(f *testing.F) {
	f.Add([]byte(goodYAML))
	f.Add([]byte("name: s\nrules: [*a, &a {name: x}]"))
	f.Add([]byte("? [a]\n: !!binary |\n  x\n--- >-\n\t- x"))
	f.Fuzz(func(t *testing.T, data []byte) { load(t, "r.yaml", data) })
}

func FuzzJSON(f *testing.F) {
	f.Add([]byte(jsonSets(f, "s", jsonRule("one", nil))))
	f.Add([]byte(`[{"name":"","rules":[null,1,{"name":"a"}]}]`))
	f.Add([]byte("\ufeff[]x"))
	f.Fuzz(func(t *testing.T, data []byte) { load(t, "r.json", data) })
}
