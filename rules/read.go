package rules

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strings"
	"unicode/utf8"
)

// The largest files read, in bytes. The YAML parser slows down on long files.
const (
	maxYAML = 4 << 20
	maxJSON = 64 << 20
)

// read returns the content of a regular file: a pipe or device could block or
// never end.
func read(info fs.FileInfo, open func() (fs.File, error)) ([]byte, error) {
	if !info.Mode().IsRegular() {
		return nil, errors.New("not a regular file")
	}
	limit := int64(maxJSON)
	if !isJSON(info.Name()) {
		limit = maxYAML
	}
	f, err := open()
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(data)) > limit {
		err = fmt.Errorf("larger than %d MiB", limit>>20)
	}
	return data, err
}

func isJSON(name string) bool {
	return strings.EqualFold(filepath.Ext(name), ".json")
}

// file loads the sets in one file's content.
func (l *loader) file(name string, data []byte) []Set {
	d := decoder{loader: l, file: name, encoded: isJSON(name)}
	parse := parseYAML
	switch ext := strings.ToLower(filepath.Ext(name)); ext {
	case ".json":
		parse = parseJSON
	case ".yaml", ".yml":
	default:
		l.fault(name, nil, "", "file ends in %q; want .yaml, .yml or .json", ext)
		return nil
	}
	v := l.tree(name, data, parse)
	if v == nil {
		return nil
	}
	sets := d.sets(v)
	if len(sets) == 0 && len(l.faults) == 0 {
		l.fault(name, v, "", "holds no rules")
	}
	return sets
}

// tree parses data; nil means that a fault was reported.
func (l *loader) tree(name string, data []byte, parse func([]byte) (*value, error)) *value {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if i := invalidUTF8(data); i >= 0 {
		line := 1 + bytes.Count(data[:i], []byte("\n"))
		column := utf8.RuneCount(data[bytes.LastIndexByte(data[:i], '\n')+1:i]) + 1
		l.fault(name, &value{line: line, column: column}, "", "not UTF-8")
		return nil
	}
	v, err := parse(data)
	var bad *syntaxError
	if errors.As(err, &bad) {
		l.fault(name, &value{line: bad.line, column: bad.column}, "", "%s", bad.problem)
		return nil
	}
	return v
}

// invalidUTF8 is the offset of the first invalid byte, or -1.
func invalidUTF8(data []byte) int {
	for i := 0; i < len(data); {
		r, size := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return -1
}
