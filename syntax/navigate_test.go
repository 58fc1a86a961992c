package syntax

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ddsabench/ddsabench/executor"
)

// A walker reads nodes through a navigator.
type walker struct {
	t *testing.T
	n executor.Navigator
}

func (w walker) name(op, number uint32) string {
	out := make([]uint32, 64)
	n := navigate(w.n, op, number, 0, out)
	if n < 0 {
		w.t.Fatalf("number %d has no name", number)
	}
	var b strings.Builder
	for _, c := range out[:n] {
		b.WriteByte(byte(c))
	}
	return b.String()
}

func (w walker) children(handle uint32) [][]uint32 {
	var all [][]uint32
	for {
		out := make([]uint32, 2*executor.NodeWords+1) // room for two
		n := navigate(w.n, executor.NavChildren, handle, uint32(len(all)), out)
		if n == 0 {
			return all
		}
		for i := range n {
			all = append(all, out[i*executor.NodeWords:][:executor.NodeWords])
		}
	}
}

func (w walker) parent(handle uint32) []uint32 {
	out := make([]uint32, executor.NodeWords)
	if n := navigate(w.n, executor.NavParent, handle, 0, out); n == 0 {
		return nil
	}
	return out
}

// tree prints a node as tree-sitter does, named nodes only.
func (w walker) tree(record []uint32) string {
	var b strings.Builder
	if record[8] != 0 {
		b.WriteString(w.name(executor.NavField, record[8]) + ": ")
	}
	b.WriteString("(" + w.name(executor.NavKind, record[1]))
	for _, child := range w.children(record[0]) {
		b.WriteString(" " + w.tree(child))
	}
	return b.String() + ")"
}

func navigated(t *testing.T, text string) (walker, []uint32, places) {
	rules := jsRules("(program) @p")
	file := parse(t, newParser(t, compile(t, rules...), DefaultOptions()), executor.JavaScript, text)
	m, err := file.Tree.Matches(rules[0], 0)
	if err != nil {
		t.Fatal(err)
	}
	return walker{t, m.Navigator}, m.Nodes, placesOf(file.Text)
}

func TestNavigator(t *testing.T) {
	w, root, _ := navigated(t, "var é = f(1, 'x'), b;\nif (b) { /* 😀 */ }\n) ")
	diff(t, "(program (variable_declaration"+
		" (variable_declarator name: (identifier) value: (call_expression function: (identifier)"+
		" arguments: (arguments (number) (string (string_fragment)))))"+
		" (variable_declarator name: (identifier)))"+
		" (if_statement condition: (parenthesized_expression (identifier)) consequence: (statement_block (comment)))"+
		" (ERROR))", w.tree(root))
}

func TestParents(t *testing.T) {
	w, root, places := navigated(t, sample(20))
	nodes := 0
	var walk func(record, parent []uint32)
	walk = func(record, parent []uint32) {
		nodes++
		captured := append([]uint32(nil), record...)
		captured[8] = 0
		checkRecord(t, places, captured)
		if up := w.parent(record[0]); fmt.Sprint(up) != fmt.Sprint(parent) {
			t.Errorf("the parent of %v is %v, got %v", record, parent, up)
		}
		for _, child := range w.children(record[0]) {
			walk(child, captured)
		}
	}
	walk(root, nil)
	if nodes < 500 {
		t.Errorf("only %d nodes", nodes)
	}
}

// The parents of captured nodes are found without coming from above.
func TestParentsOfCapturedNodes(t *testing.T) {
	rules := jsRules("(number) @n", "(program (_) @s)")
	file := parse(t, newParser(t, compile(t, rules...), DefaultOptions()), executor.JavaScript, "f(a, [1]); 2")
	m, err := file.Tree.Matches(rules[0], 0)
	if err != nil {
		t.Fatal(err)
	}
	w := walker{t, m.Navigator}
	var paths []string
	for i := range m.Count {
		path := ""
		for node := m.Nodes[i*executor.NodeWords:][:executor.NodeWords]; node != nil; node = w.parent(node[0]) {
			path += w.name(executor.NavKind, node[1]) + " "
		}
		paths = append(paths, strings.TrimSpace(path))
	}
	diff(t, []string{
		"number array arguments call_expression expression_statement program",
		"number expression_statement program",
	}, paths)

	// The same node has the same handle in other rules' matches.
	s, err := file.Tree.Matches(rules[1], 0)
	if err != nil {
		t.Fatal(err)
	}
	var handles []uint32
	for _, child := range w.children(lastOf(w, s.Nodes[0])) {
		handles = append(handles, child[0])
	}
	diff(t, []uint32{s.Nodes[0], s.Nodes[executor.NodeWords]}, handles)
}

// lastOf returns the handle of the node's last ancestor.
func lastOf(w walker, handle uint32) uint32 {
	for up := w.parent(handle); up != nil; up = w.parent(handle) {
		handle = up[0]
	}
	return handle
}

func TestNavigatorRefusesWhatDoesNotExist(t *testing.T) {
	w, root, _ := navigated(t, "a")
	out := make([]uint32, executor.NodeWords)
	for _, c := range []struct{ op, subject uint32 }{
		{executor.NavChildren, 1 << 20},
		{executor.NavParent, 1 << 20},
		{executor.NavChildren, 1<<32 - 1},
		{executor.NavKind, 60_000},
		{executor.NavKind, 1 << 16},
		{executor.NavKind, 1<<32 - 1},
		{executor.NavField, 0},
		{executor.NavField, 60_000},
		{99, 0},
	} {
		if n := navigate(w.n, c.op, c.subject, 0, out); n >= 0 {
			t.Errorf("op %d on %d returns %d", c.op, c.subject, n)
		}
	}
	if n := navigate(w.n, executor.NavChildren, root[0], 0, nil); n != 0 {
		t.Errorf("%d children were written to no room", n)
	}
	if n := navigate(w.n, executor.NavKind, root[1], 0, out[:3]); n != len("program") {
		t.Errorf("the length of a name without room is %d", n)
	}
}
