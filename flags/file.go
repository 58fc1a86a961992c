package flags

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"syscall"

	"github.com/goccy/go-yaml"
)

// maxFile is far beyond what a file of three keys takes.
const maxFile = 64 << 10

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
// what a full disk, or a writer that has only begun, leaves behind.
func parseFile(text []byte) (v values, err error) {
	defer func() {
		if value := recover(); value != nil { // the library's
			v, err = values{}, fmt.Errorf("panic: %v", value)
		}
	}()
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	var keys map[string]any
	if err := decoder.Decode(&keys); err != nil && !errors.Is(err, io.EOF) {
		return values{}, errors.New(yaml.FormatError(err, false, false))
	}
	if err := decoder.Decode(new(any)); !errors.Is(err, io.EOF) {
		return values{}, errors.New("something follows the first document")
	}
	if len(keys) == 0 {
		return values{}, errors.New("none of runtime, kill and shadow-sample is there; to say nothing, write kill: false")
	}
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		// Numbers and booleans are spelled as the environment spells them.
		if err := v.set(key, fmt.Sprint(keys[key])); err != nil {
			return values{}, fmt.Errorf("%.40s: %w", key, err)
		}
	}
	return v, nil
}

func (v *values) set(key, text string) (err error) {
	switch key {
	case "runtime":
		v.setting, err = ParseSetting(text)
	case "kill":
		v.kill, err = parseSwitch(text)
	case "shadow-sample":
		v.sample, err = parseSample(text)
		v.hasSample = err == nil
	default:
		err = errors.New("unknown key; use runtime, kill or shadow-sample")
	}
	return err
}
