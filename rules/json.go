package rules

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"
)

// parseJSON reads one JSON value. Errors are *syntaxError.
func parseJSON(data []byte) (*value, error) {
	p := &jsonParser{data: data, dec: json.NewDecoder(bytes.NewReader(data)), line: 1, column: 1}
	p.dec.UseNumber()
	v, err := p.value(0)
	if err != nil {
		return nil, err
	}
	p.moveTo(p.next())
	if p.at < len(data) {
		return nil, p.fail("more text after the JSON value")
	}
	return v, nil
}

type jsonParser struct {
	data         []byte
	dec          *json.Decoder
	at           int // the offset that line and column belong to
	line, column int
}

// next is the offset of the next token's first byte.
func (p *jsonParser) next() int {
	i := int(p.dec.InputOffset())
	for i < len(p.data) && bytes.IndexByte([]byte(" \t\r\n,:"), p.data[i]) >= 0 {
		i++
	}
	return i
}

// moveTo counts lines and columns up to offset. It never goes back.
func (p *jsonParser) moveTo(offset int) {
	for p.at < min(offset, len(p.data)) {
		r, size := utf8.DecodeRune(p.data[p.at:])
		p.at += size
		p.column++
		if r == '\n' {
			p.line, p.column = p.line+1, 1
		}
	}
}

func (p *jsonParser) fail(format string, args ...any) error {
	return &syntaxError{p.line, p.column, fmt.Sprintf(format, args...)}
}

func (p *jsonParser) token() (json.Token, error) {
	p.moveTo(p.next())
	tok, err := p.dec.Token()
	var bad *json.SyntaxError
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		p.moveTo(len(p.data))
		return nil, p.fail("the JSON ends too early")
	case errors.As(err, &bad):
		p.moveTo(int(bad.Offset) - 1)
		return nil, p.fail("not JSON: %v", bad)
	case err != nil:
		return nil, p.fail("not JSON: %v", err)
	}
	return tok, nil
}

func (p *jsonParser) value(depth int) (*value, error) {
	tok, err := p.token()
	if err != nil {
		return nil, err
	}
	v := &value{line: p.line, column: p.column}
	switch tok := tok.(type) {
	case nil:
	case bool:
		v.kind, v.text = boolean, fmt.Sprint(tok)
	case json.Number:
		v.kind, v.text = number, tok.String()
	case string:
		v.kind, v.text = text, tok
	case json.Delim:
		if depth == maxDepth {
			return nil, p.fail("nested deeper than %d levels", maxDepth)
		}
		if tok == '[' {
			v.kind = list
			err = p.items(v, depth)
		} else {
			v.kind = object
			err = p.fields(v, depth)
		}
	}
	return v, err
}

func (p *jsonParser) items(v *value, depth int) error {
	for p.dec.More() {
		item, err := p.value(depth + 1)
		if err != nil {
			return err
		}
		v.items = append(v.items, item)
	}
	_, err := p.token() // the closing bracket
	return err
}

func (p *jsonParser) fields(v *value, depth int) error {
	v.fields = map[string]*value{}
	for p.dec.More() {
		tok, err := p.token()
		if err != nil {
			return err
		}
		key, isText := tok.(string)
		if _, twice := v.fields[key]; twice || !isText {
			return p.fail("key %q stands twice in one object", key)
		}
		if v.fields[key], err = p.value(depth + 1); err != nil {
			return err
		}
	}
	_, err := p.token()
	return err
}
