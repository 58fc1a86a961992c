package serve

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Errors about a request's form, told apart by the status that they get.
var (
	errSyntax = errors.New("not JSON")
	errForm   = errors.New("not a request")
)

// fields reads one JSON object key by key. Unlike encoding/json on a struct it
// takes keys as they are spelled, as the original does. The first fault is kept
// and everything after it reads as zero.
type fields struct {
	at     string
	values map[string]json.RawMessage
	err    error
}

func object(at string, text json.RawMessage) *fields {
	f := &fields{at: at}
	if err := json.Unmarshal(text, &f.values); err != nil {
		f.fail("want an object")
	} else if f.values == nil {
		f.fail("want an object, not null")
	}
	return f
}

func (f *fields) fail(format string, args ...any) {
	if f.err == nil {
		f.err = fmt.Errorf("%w: %s: %s", errForm, f.at, fmt.Sprintf(format, args...))
	}
}

// value is the key's value; a missing one and null are false.
func (f *fields) value(key string) (json.RawMessage, bool) {
	v, found := f.values[key]
	return v, found && f.err == nil && string(v) != "null"
}

// optional reads a value of type T, which is nil if it is missing or null.
func optional[T any](f *fields, key, want string) *T {
	v, found := f.value(key)
	if !found {
		return nil
	}
	var value T
	if err := json.Unmarshal(v, &value); err != nil {
		f.fail("%s: want %s", key, want)
		return nil
	}
	return &value
}

func required[T any](f *fields, key, want string) T {
	value := optional[T](f, key, want)
	if value == nil {
		f.fail("%s is missing; want %s", key, want)
		return *new(T)
	}
	return *value
}

func (f *fields) text(key string) string { return required[string](f, key, "text") }

// name reads a required text that answers, errors and the log repeat.
func (f *fields) name(key string) string {
	name := f.text(key)
	if len(name) > maxName {
		f.fail("%s: want at most %d bytes, got %d", key, maxName, len(name))
	}
	return name
}

// oneOf reads a required word of a list.
func (f *fields) oneOf(key string, known []string) string {
	word := f.text(key)
	if f.err == nil && !slices.Contains(known, word) {
		f.fail("%s %.40q is unknown; known are %s", key, word, strings.Join(known, ", "))
	}
	return word
}
