package corpus

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"testing"
)

// line is one line of an index, made without the package's own code.
func line(lang, path, text string) string {
	return fmt.Sprintf("%s\t%s\t%d\t%x\n", lang, path, len(text), sha256.Sum256([]byte(text)))
}

func hexSum(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

func TestDigest(t *testing.T) {
	files := []candidate{
		newCandidate(ts, "p/b.ts", []byte("1")),
		newCandidate(ts, "p/B.ts", []byte("22")),
		newCandidate(js, "q/z.js", []byte("3")),
		newCandidate(ts, "a.ts", []byte("4")),
	}
	want := hexSum(line("js", "q/z.js", "3") + line("ts", "a.ts", "4") + line("ts", "p/B.ts", "22") + line("ts", "p/b.ts", "1"))
	if got := digestOf(selectFiles(files, nil)); got != want {
		t.Errorf("digest %s, want %s", got, want)
	}
	if got := digestOf(nil); got != hexSum("") {
		t.Errorf("digest of nothing is %s", got)
	}
}

func TestReadIndex(t *testing.T) {
	good := line("js", "p/a b/é.js", "text")
	entries, err := readIndex(strings.NewReader(good + line("ts", "p/c.d.ts", "x")))
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) != 2 || entries[1].offset != 4 || entries[0].Path != "p/a b/é.js" || entries[0].Language != js {
		t.Errorf("got %+v", entries)
	}
	sum := hexSum("text")
	for name, bad := range map[string]string{
		"no newline":        strings.TrimSuffix(good, "\n"),
		"empty line":        "\n",
		"no fields":         "js\n",
		"a field more":      strings.TrimSuffix(good, "\n") + "\t\n",
		"wrong language":    line("ts", "p/a.js", "text"),
		"other extension":   line("js", "p/a.json", "text"),
		"climbs":            line("js", "../a.js", "text"),
		"absolute":          line("js", "/a.js", "text"),
		"not clean":         line("js", "p//a.js", "text"),
		"carriage return":   strings.TrimSuffix(good, "\n") + "\r\n",
		"control character": line("js", "p/\x1b.js", "text"),
		"size zero":         line("js", "p/a.js", ""),
		"size negative":     "js\tp/a.js\t-4\t" + sum + "\n",
		"size with sign":    "js\tp/a.js\t+4\t" + sum + "\n",
		"size with zero":    "js\tp/a.js\t04\t" + sum + "\n",
		"size too large":    "js\tp/a.js\t204801\t" + sum + "\n",
		"size overflows":    "js\tp/a.js\t99999999999999999999\t" + sum + "\n",
		"sum in capitals":   "js\tp/a.js\t4\t" + strings.ToUpper(sum) + "\n",
		"sum cut":           "js\tp/a.js\t4\t" + sum[1:] + "\n",
		"sum not hex":       "js\tp/a.js\t4\t" + strings.Repeat("g", 64) + "\n",
		"endless line":      strings.Repeat("x", 1<<20),
	} {
		_, err := readIndex(strings.NewReader(good + bad))
		if !errors.Is(err, ErrCorrupt) || !strings.Contains(err.Error(), "line 2") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func FuzzReadIndex(f *testing.F) {
	f.Add([]byte(line("js", "p/a.js", "text") + line("ts", "p/c.d.ts", "x")))
	f.Add([]byte("js\tp/a.js\t4\n"))
	f.Add([]byte("\t\t\t\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		entries, err := readIndex(bytes.NewReader(text))
		if err != nil {
			return
		}
		var again bytes.Buffer
		if err := writeIndex(&again, entries); err != nil || !bytes.Equal(again.Bytes(), text) {
			t.Errorf("%q was read, and written as %q (%v)", text, again.Bytes(), err)
		}
		for _, e := range entries {
			if e.Size < 1 || e.Size > maxSize || !validPath(e.Path) {
				t.Errorf("accepted %+v", e)
			}
		}
	})
}
