package kept

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/ddsabench/ddsabench/harness"
	"github.com/ddsabench/ddsabench/harness/report"
)

// A Run is a folder of records with what was made of them. Main is the whole
// comparison; any of the others can be missing.
type Run struct {
	// Records are all records by their file's name without ".jsonl".
	Records map[string]*harness.Record
}

// The names of a run's records.
const (
	Main          = "record"         // the whole comparison
	NoStackCache  = "stackcache-off" // counted with the C library's stack cache off
	StartUp       = "every-1000"     // hardly any file: what starting costs
	Hundredth     = "every-100"
	Tenth         = "every-10"
	SeparateQuery = "separate" // one query per rule
)

// Open reads a folder's records.
func Open(dir string) (*Run, error) {
	r := &Run{Records: map[string]*harness.Record{}}
	paths, err := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	if err != nil {
		return nil, err
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		record, err := harness.Read(bytes.NewReader(text))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		r.Records[strings.TrimSuffix(filepath.Base(path), ".jsonl")] = record
	}
	if r.Records[Main] == nil {
		return nil, fmt.Errorf("%s: no %s.jsonl: %w", dir, Main, fs.ErrNotExist)
	}
	return r, nil
}

// Render makes all files that belong beside the records, by name: a table of
// each record, as text and as Markdown, a page of the main one, and the figures.
func (r *Run) Render() (map[string][]byte, error) {
	files := map[string][]byte{}
	for name, record := range r.Records {
		for ending, form := range map[string]string{".txt": "table", ".md": "markdown", ".html": "html"} {
			if form == "html" && name != Main {
				continue
			}
			text, err := rendered(form, record)
			if err != nil {
				return nil, err
			}
			files[name+ending] = text
		}
	}
	files["figures.md"] = []byte(r.Figures())
	return files, nil
}

func rendered(name string, r *harness.Record) ([]byte, error) {
	form, err := report.RecordByName(name)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = form(&b, r)
	return b.Bytes(), err
}
