package merge

import (
	"bytes"
	"strings"
	"testing"

	"github.com/ddsabench/ddsabench/harness"
)

// Whatever can be read is merged to what can be read again, or refused.
func FuzzRecords(f *testing.F) {
	text := func(r *harness.Record) string {
		var b bytes.Buffer
		if err := harness.WriteRecord(&b, r); err != nil {
			f.Fatal(err)
		}
		return b.String()
	}
	one, two := text(shardRecord(1, 2)), text(shardRecord(2, 2))
	f.Add(one, two)
	f.Add(two, one)
	f.Add(one, one)
	for _, change := range [][2]string{
		{`"outcomes":{"ok":2}`, `"outcomes":null`},
		{`"outcomes":{"ok":2}`, `"outcomes":{}`},
		{`"count":[1,2]`, `"count":[1]`},
		{`"count":[1,2]`, `"count":null`},
		{`"upto_ns":[5,20]`, `"upto_ns":[20,20]`},
	} {
		if !strings.Contains(two, change[0]) {
			f.Fatalf("no %s in %s", change[0], two)
		}
		f.Add(one, strings.ReplaceAll(two, change[0], change[1]))
		f.Add(strings.ReplaceAll(two, change[0], change[1]), one)
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		var list []*harness.Record
		for _, text := range []string{a, b} {
			r, err := harness.Read(strings.NewReader(text))
			if err != nil {
				return
			}
			list = append(list, r)
		}
		whole, err := Records(list)
		if err != nil {
			return
		}
		var out bytes.Buffer
		if err := harness.WriteRecord(&out, whole); err != nil {
			t.Fatal(err)
		}
		if _, err := harness.Read(&out); err != nil {
			t.Error(err)
		}
	})
}
