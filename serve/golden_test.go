package serve

import (
	"bytes"
	"encoding/json"
	"flag"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
)

var update = flag.Bool("update", false, "write the answers into testdata/analyze")

var took = regexp.MustCompile(`"execution_time_ms": \d+`)

// Each file is a request as a client of the original sends it, and the answer,
// indented. Both executors give it.
func TestAnalyze(t *testing.T) {
	files, err := filepath.Glob("testdata/analyze/*.txtar")
	if err != nil || len(files) < 20 {
		t.Fatal(files, err)
	}
	for _, setting := range []string{"legacy", "ddsa"} {
		c := testConfig(t, setting)
		c.Limits.Timeout = time.Second
		_, url := start(t, c)
		for _, name := range files {
			t.Run(setting+"/"+filepath.Base(name), func(t *testing.T) {
				a, err := txtar.ParseFile(name)
				if err != nil {
					t.Fatal(err)
				}
				status, header, body := post(t, url, a.Files[0].Data)
				if status != http.StatusOK || header.Get("Content-Type") != "application/json" {
					t.Errorf("status %d, %v", status, header)
				}
				var indented bytes.Buffer
				if err := json.Indent(&indented, body, "", "  "); err != nil {
					t.Fatalf("%v: %s", err, body)
				}
				got := took.ReplaceAllString(indented.String(), `"execution_time_ms": 0`)
				if *update {
					a.Files[1].Data = []byte(got)
					if err := os.WriteFile(name, txtar.Format(a), 0o666); err != nil {
						t.Fatal(err)
					}
				}
				if diff := cmp.Diff(string(a.Files[1].Data), got); diff != "" {
					t.Errorf("want -, got +:\n%s", diff)
				}
			})
		}
	}
}
