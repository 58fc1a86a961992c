package rules

import (
	"encoding/base64"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A need says what a field must be. A null field counts as missing.
type need uint8

const (
	optional need = iota
	present       // but a text may be empty
	filled
)

// The methods below read one field of an object. What does not fit is a fault,
// and the result is the zero value.

func (d *decoder) want(v *value, k kind, what string) bool {
	if v.kind != k {
		d.fail(v, "%s must be %v, not %v", what, k, v.kind)
		return false
	}
	return true
}

func (d *decoder) field(v *value, key string, k kind, n need) *value {
	f := v.fields[key]
	if f == nil || f.kind == null {
		if n != optional {
			if f == nil {
				f = v
			}
			d.fail(f, "%s is missing", key)
		}
		return nil
	}
	if !d.want(f, k, key) {
		return nil
	}
	return f
}

func (d *decoder) text(v *value, key string, n need) string {
	f := d.field(v, key, text, n)
	if f == nil {
		return ""
	}
	if n == filled && f.text == "" {
		d.fail(f, "%s is empty", key)
	}
	return f.text
}

// longText is text that the JSON form has in base64.
func (d *decoder) longText(v *value, key string, n need) string {
	s := d.text(v, key, n)
	if !d.encoded || s == "" {
		return s
	}
	plain, err := base64.StdEncoding.Strict().DecodeString(s)
	switch {
	case err != nil:
		d.fail(v.fields[key], "%s is not base64: %v", key, err)
	case strings.ContainsAny(s, "\r\n"):
		d.fail(v.fields[key], "%s is not base64: it has line breaks", key)
	case !utf8.Valid(plain):
		d.fail(v.fields[key], "%s is not UTF-8 after base64", key)
	default:
		return string(plain)
	}
	return ""
}

// scalar is text or a number as it is written.
func (d *decoder) scalar(v *value, key string) string {
	if f := v.fields[key]; f != nil && f.kind == number {
		return f.text
	}
	return d.text(v, key, optional)
}

func (d *decoder) oneOf(v *value, key string, known []string) string {
	s := d.text(v, key, filled)
	if s != "" && !slices.Contains(known, s) {
		d.fail(v.fields[key], "%s %q is not known; want one of %s", key, s, strings.Join(known, " "))
	}
	return s
}

func (d *decoder) list(v *value, key string, n need) []*value {
	if f := d.field(v, key, list, n); f != nil {
		return f.items
	}
	return nil
}

func (d *decoder) count(v *value, key string) int {
	f := d.field(v, key, number, present)
	if f == nil {
		return 0
	}
	n, err := strconv.Atoi(f.text)
	if err != nil || n < 0 {
		d.fail(f, "%s must be a whole number from 0, not %s", key, f.text)
	}
	return n
}
