package report_test

import (
	"bytes"
	"math"
	"testing"

	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchmath"
	"golang.org/x/perf/benchproc"

	"github.com/ddsabench/ddsabench/harness/compare"
)

// The library below benchstat reads the form, without complaints, and finds the
// medians that the table has.
func TestBenchstatMedians(t *testing.T) {
	r := full()
	r.Header.Corpus.Name, r.Header.Environment.CPU = "my corpus/a", "AMD\nEPYC"
	var parser benchproc.ProjectionParser
	byArm, err := parser.Parse("/arm", nil)
	if err != nil {
		t.Fatal(err)
	}
	values := map[[2]string][]float64{} // by arm and unit
	in := benchfmt.NewReader(bytes.NewReader(render(t, "benchstat", r)), "record")
	for in.Scan() {
		switch line := in.Result().(type) {
		case *benchfmt.Result:
			if got := line.GetConfig("corpus-sha256"); got != r.Header.Corpus.Digest {
				t.Errorf("corpus-sha256: got %q", got)
			}
			arm := byArm.Project(line).Get(byArm.Fields()[0])
			for _, v := range line.Values {
				values[[2]string{arm, v.Unit}] = append(values[[2]string{arm, v.Unit}], v.Value)
			}
		case *benchfmt.SyntaxError:
			t.Error(line)
		}
	}
	if in.Err() != nil {
		t.Fatal(in.Err())
	}
	unit := func(row compare.Row) string {
		return map[string]string{
			"wall": "wall-sec", "in_executions": "in-executions-sec", "per_execution": "per-execution-sec", "in_v8": "in-v8-sec",
			"peak_rss": "peak-rss-B", "rate": "rate/sec", "switches": "switches", "watchdogs": "watchdogs",
		}[row.Key]
	}
	checked := 0
	for _, row := range compare.Summarize(r).Rows {
		if unit(row) == "" {
			continue
		}
		for _, cell := range row.Cells {
			list := values[[2]string{cell.Arm, unit(row)}]
			if len(list) != cell.N {
				t.Fatalf("%s of %s: got %d values, want %d", row.Key, cell.Arm, len(list), cell.N)
			}
			sample := benchmath.NewSample(list, &benchmath.DefaultThresholds)
			got := benchmath.AssumeNothing.Summary(sample, 0.95).Center
			if math.Abs(got-cell.Median) > 1e-12*cell.Median {
				t.Errorf("%s of %s: got median %v, want %v", row.Key, cell.Arm, got, cell.Median)
			}
			checked++
		}
	}
	if checked != 16 {
		t.Errorf("checked %d medians, want 16", checked)
	}
}
