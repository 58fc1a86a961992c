package harness

import (
	"encoding/json"
	"reflect"
	"strings"
)

// decode is json.Unmarshal into what v points to, with an error for a missing
// field: any that is not marked omitempty.
func decode(text []byte, v any) error {
	if err := json.Unmarshal(text, v); err != nil {
		return &FormatError{Problem: "not valid", Err: err}
	}
	if field := missing(text, reflect.TypeOf(v).Elem()); field != "" {
		return &FormatError{Field: strings.TrimPrefix(field, "."), Problem: "is missing"}
	}
	return nil
}

// missing returns the path, with a leading dot, of the first field that text,
// the valid JSON of a t, lacks; empty if none. It looks into this package's
// types only.
func missing(text json.RawMessage, t reflect.Type) string {
	switch t.Kind() {
	case reflect.Pointer:
		return missing(text, t.Elem())
	case reflect.Map:
		var values map[string]json.RawMessage
		if json.Unmarshal(text, &values) == nil {
			for key, value := range values {
				if field := missing(value, t.Elem()); field != "" {
					return "." + key + field
				}
			}
		}
	case reflect.Struct:
		if t.PkgPath() == reflect.TypeFor[Record]().PkgPath() {
			return missingField(text, t)
		}
	}
	return ""
}

// missingField is missing for a struct.
func missingField(text json.RawMessage, t reflect.Type) string {
	var values map[string]json.RawMessage
	if json.Unmarshal(text, &values) != nil {
		return ""
	}
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Anonymous {
			if field := missing(text, f.Type); field != "" {
				return field
			}
			continue
		}
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		value, there := values[name]
		if !there && options != "omitempty" {
			return "." + name
		}
		if !there || string(value) == "null" && options == "omitempty" {
			continue
		}
		if field := missing(value, f.Type); field != "" {
			return "." + name + field
		}
	}
	return ""
}
