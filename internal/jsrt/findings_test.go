package jsrt

import (
	"encoding/binary"
	"errors"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"

	"github.com/ddsabench/ddsabench/executor"
)

// memory makes words with findings behind the runs' own.
func memory(violations, output uint32, findings ...uint32) []uint32 {
	words := make([]uint32, nameAt)
	words[wordViolations], words[wordOutput], words[wordFindingsAt] = violations, output, nameAt
	return append(words, findings...)
}

func TestReadFindings(t *testing.T) {
	end := executor.Position{Line: 7, Col: 8}
	content := "ü"
	for name, c := range map[string]struct {
		words  []uint32
		text   string
		want   []executor.Violation
		output string
	}{
		"nothing":     {memory(0, 0), "", nil, ""},
		"output":      {memory(0, 1), "a\nb", nil, "a\nb"},
		"text unused": {memory(0, 0), "a\nb", nil, ""},
		"all": {
			memory(1, 1, 1, 2, 3, 4, 4, 1, 1, 2, 2, 5, 6, 7, 8, 1, 1, 5, 6, 7, 8), "m\n😀\nd\nü\nout",
			[]executor.Violation{{
				Start: executor.Position{Line: 1, Col: 2}, End: executor.Position{Line: 3, Col: 4}, Message: "m\n😀",
				Fixes: []executor.Fix{{Description: "d", Edits: []executor.Edit{
					{Kind: "UPDATE", Start: executor.Position{Line: 5, Col: 6}, End: &end, Content: &content},
					{Kind: "REMOVE", Start: executor.Position{Line: 5, Col: 6}, End: &end},
				}}},
			}},
			"out",
		},
	} {
		got, output, err := readFindings(c.words, c.text, executor.Limits{Violations: 10, Output: 100})
		if err != nil || output != c.output {
			t.Errorf("%s: output %q, error %v", name, output, err)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: -want +got\n%s", name, diff)
		}
	}
}

func TestReadFindingsRefuses(t *testing.T) {
	far := memory(0, 0)
	far[wordFindingsAt] = 1000
	for name, c := range map[string]struct {
		words []uint32
		text  string
	}{
		"too many":              {memory(11, 0), ""},
		"starts beyond the end": {far, ""},
		"no words":              {memory(1, 0), "\n"},
		"text too short":        {memory(1, 0, 1, 1, 1, 1, 2, 0), "m\n"},
		"text too long":         {memory(1, 0, 1, 1, 1, 1, 1, 0), "mm\n"},
		"half a character":      {memory(1, 0, 1, 1, 1, 1, 1, 0), "😀\n"},
		"no line feed":          {memory(1, 0, 1, 1, 1, 1, 1, 0), "m"},
		"too many fixes":        {memory(1, 0, 1, 1, 1, 1, 1, 1<<31), "m\n"},
		"unknown kind of edit":  {memory(1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 3), "m\nd\n"},
	} {
		got, _, err := readFindings(c.words, c.text, executor.Limits{Violations: 10, Output: 100})
		if !errors.Is(err, errFindings) || got != nil {
			t.Errorf("%s: %v, error %v", name, got, err)
		}
	}
}

// FuzzFindings: whatever a script manages to write, reading it gives findings
// within the text or an error, and never both.
func FuzzFindings(f *testing.F) {
	f.Add([]byte{1, 0, 0, 0, 1, 0, 0, 0}, "m\n", uint32(1))
	f.Fuzz(func(t *testing.T, raw []byte, text string, n uint32) {
		var findings []uint32
		for ; len(raw) >= 4; raw = raw[4:] {
			findings = append(findings, binary.LittleEndian.Uint32(raw))
		}
		text = strings.ToValidUTF8(text, "\ufffd") // as V8 writes it
		violations, output, err := readFindings(memory(n, 1, findings...), text, executor.Limits{Violations: 100, Output: 1000})
		if err != nil {
			if violations != nil || output != "" {
				t.Fatalf("findings and an error: %v", err)
			}
			return
		}
		size := len(utf16.Encode([]rune(output)))
		for _, v := range violations {
			size += len(utf16.Encode([]rune(v.Message)))
		}
		if uint32(len(violations)) != n || size > len(utf16.Encode([]rune(text))) {
			t.Fatalf("%d violations, want %d; %d characters", len(violations), n, size)
		}
	})
}
