//go:build linux

package worker

import (
	"encoding/binary"
	"math"

	"github.com/ddsabench/ddsabench/executor"
)

func appendViolations(b []byte, list []executor.Violation) []byte {
	b = binary.AppendUvarint(b, uint64(len(list)))
	for i := range list {
		v := &list[i]
		b = appendPosition(appendPosition(b, v.Start), v.End)
		b = appendString(b, v.Message)
		b = binary.AppendUvarint(b, uint64(len(v.Fixes)))
		for _, f := range v.Fixes {
			b = appendString(b, f.Description)
			b = binary.AppendUvarint(b, uint64(len(f.Edits)))
			for _, e := range f.Edits {
				b = appendEdit(b, e)
			}
		}
	}
	return b
}

func appendPosition(b []byte, p executor.Position) []byte {
	return binary.AppendUvarint(binary.AppendUvarint(b, uint64(p.Line)), uint64(p.Col))
}

const (
	editEnd = 1 << iota
	editContent
)

func appendEdit(b []byte, e executor.Edit) []byte {
	b = append(b, flag(e.End != nil, editEnd)|flag(e.Content != nil, editContent))
	b = appendString(b, e.Kind)
	b = appendPosition(b, e.Start)
	if e.End != nil {
		b = appendPosition(b, *e.End)
	}
	if e.Content != nil {
		b = appendString(b, *e.Content)
	}
	return b
}

// violations reads as many as the limits allow; fixes and edits together are
// ten times as many.
func (d *decoder) violations(l *executor.Limits) []executor.Violation {
	list := make([]executor.Violation, d.count(l.Violations))
	parts := 10 * l.Violations
	for i := range list {
		v := &list[i]
		v.Start, v.End = d.position(), d.position()
		v.Message = d.string(maxFrame)
		fixes := d.parts(&parts)
		if fixes > 0 {
			v.Fixes = make([]executor.Fix, fixes)
		}
		for j := range v.Fixes {
			v.Fixes[j].Description = d.string(maxFrame)
			if edits := d.parts(&parts); edits > 0 {
				v.Fixes[j].Edits = make([]executor.Edit, edits)
			}
			for k := range v.Fixes[j].Edits {
				v.Fixes[j].Edits[k] = d.edit()
			}
		}
	}
	return list
}

// parts reads a count and takes it off what is left.
func (d *decoder) parts(left *int) int {
	n := d.count(*left)
	*left -= n
	return n
}

func (d *decoder) position() executor.Position {
	return executor.Position{Line: int(d.uint(math.MaxUint32)), Col: int(d.uint(math.MaxUint32))}
}

func (d *decoder) edit() executor.Edit {
	flags := d.byte()
	e := executor.Edit{Kind: d.string(maxText), Start: d.position()}
	if flags&editEnd != 0 {
		end := d.position()
		e.End = &end
	}
	if flags&editContent != 0 {
		content := d.string(maxFrame)
		e.Content = &content
	}
	return e
}
