package jsrt

import (
	"unicode/utf16"

	"github.com/ddsabench/ddsabench/executor"
)

// fill writes a run's matches to the flat memory.
func (r *Runtime) fill(file *executor.File, m *executor.Matches) error {
	if file.ID == 0 || file.ID != r.seen {
		if err := r.nextFile(file); err != nil {
			return err
		}
	}
	nodes := r.nodesAt
	matches := nodes + len(m.Nodes)
	free := matches + len(m.Words)
	if err := r.isolate.Grow(free + 1); err != nil {
		return err
	}
	words := r.isolate.Memory()
	words[wordMatches] = uint32(m.Count)
	words[wordNodes] = uint32(len(m.Nodes) / executor.NodeWords)
	words[wordNodesAt] = uint32(nodes)
	words[wordMatchesAt] = uint32(matches)
	words[wordFree] = uint32(free)
	copy(words[nodes:], m.Nodes)
	copy(words[matches:], m.Words)
	return nil
}

// nextFile writes what is the same for all runs over a file.
func (r *Runtime) nextFile(file *executor.File) error {
	name := utf16.Encode([]rune(file.Path))
	if err := r.isolate.Grow(nameAt + 1 + len(name)); err != nil {
		return err
	}
	words := r.isolate.Memory()
	words[nameAt] = uint32(len(name))
	for i, unit := range name {
		words[nameAt+1+i] = uint32(unit)
	}
	r.nodesAt = nameAt + 1 + len(name)
	r.seen = file.ID
	r.textID++
	return nil
}
