package flags

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"syscall"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// maxFile is far beyond what a file of three keys takes. It bounds how long the
// parser can keep the watcher from the next kill: nested brackets take it time
// and memory that grow with their square.
const maxFile = 4 << 10

// readFile returns the file's bytes. Only a regular file is read, so that a
// pipe or a device in its place cannot hold up the watching.
func readFile(name string) ([]byte, error) {
	f, err := os.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close() // was only read
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: no regular file", name)
	}
	text, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err == nil && len(text) > maxFile {
		err = fmt.Errorf("%s: larger than %d bytes", name, maxFile)
	}
	return text, err
}

// parseFile reads the file's content. A file without any key is wrong: it is
// what a full disk, or a writer that has only begun, leaves behind. With an
// error, nothing counts but a kill switch that is on: somebody needs it, however
// wrong the rest is.
func parseFile(text []byte) (v values, err error) {
	defer func() {
		if value := recover(); value != nil { // the library's
			v, err = values{}, fmt.Errorf("panic: %v", value)
		}
	}()
	// The tree is read as it is. Decoding it would expand aliases, and a few
	// lines of those can be more than the memory holds.
	file, err := parser.ParseBytes(text, 0, parser.AllowDuplicateMapKey())
	if err != nil {
		return values{}, errors.New(yaml.FormatError(err, false, false))
	}
	documents := slices.DeleteFunc(file.Docs, func(d *ast.DocumentNode) bool { return d.Body == nil })
	mapping := &ast.MappingNode{}
	if len(documents) > 0 {
		var ok bool
		if mapping, ok = documents[0].Body.(*ast.MappingNode); !ok {
			return values{}, fmt.Errorf("a %s, where keys are expected", documents[0].Body.Type())
		}
	}
	if len(mapping.Values) == 0 {
		return values{}, errors.New("none of runtime, kill and shadow-sample is there; to say nothing, write kill: false")
	}
	if len(documents) > 1 {
		err = errors.New("something follows the first document")
	}
	var seen []string
	for _, entry := range mapping.Values {
		key := entry.Key.GetToken().Value
		wrong := v.set(key, spell(entry.Value))
		if wrong == nil && slices.Contains(seen, key) {
			wrong = errors.New("the key is there twice")
		}
		seen = append(seen, key)
		if wrong != nil && err == nil {
			err = fmt.Errorf("%.40s: %w", key, wrong)
		}
	}
	if err != nil {
		return values{kill: v.kill}, err
	}
	return v, nil
}

// spell returns a value as it is written, which is how the environment spells
// it too. Of what is no text, boolean or number, it returns what no key takes.
func spell(value ast.Node) string {
	switch n := value.(type) {
	case *ast.LiteralNode:
		return n.Value.GetValue().(string)
	case *ast.StringNode, *ast.BoolNode, *ast.IntegerNode, *ast.FloatNode:
		return value.GetToken().Value
	}
	return "(" + value.Type().String() + ")"
}

func (v *values) set(key, text string) (err error) {
	switch key {
	case "runtime":
		v.setting, err = ParseSetting(text)
	case "kill":
		var on bool
		on, err = parseSwitch(text)
		v.kill = v.kill || on // who appends a line to the file need not see the others
	case "shadow-sample":
		v.sample, err = parseSample(text)
		v.hasSample = err == nil
	default:
		err = errors.New("unknown key; use runtime, kill or shadow-sample")
	}
	return err
}
