package engine

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"viva/internal/workflow/juel"
)

// Document is a compact JSON text, "" for none. Documents made by Object and
// Canonical have sorted keys: the same content is the same string, so that rows
// holding them compare with ==.
type Document string

// MarshalJSON writes the text itself, null when there is none.
func (d Document) MarshalJSON() ([]byte, error) {
	if d == "" {
		return []byte("null"), nil
	}
	return []byte(d), nil
}

// UnmarshalJSON takes any JSON value as it is written, without white space.
func (d *Document) UnmarshalJSON(text []byte) error {
	if string(text) == "null" {
		*d = ""
		return nil
	}
	var b bytes.Buffer
	err := json.Compact(&b, text)
	*d = Document(b.String())
	return err
}

// Canonical sorts the keys of an object document; numbers stay as written.
func (d Document) Canonical() (Document, error) {
	m, err := d.object()
	if err != nil {
		return "", err
	}
	return Object(m)
}

func (d Document) object() (map[string]any, error) {
	if d == "" || d == "{}" {
		return map[string]any{}, nil
	}
	v, err := decode(string(d))
	if err != nil {
		return nil, err
	}
	m, ok := v.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("variables are not a JSON object: %.40s", d)
	}
	return m, nil
}

// Object makes the document of a JSON object; an empty map gives "".
func Object(fields map[string]any) (Document, error) {
	if len(fields) == 0 {
		return "", nil
	}
	return encode(fields)
}

// Fields gives the members of an object document, with numbers as int64 or exact
// decimals.
func (d Document) Fields() (map[string]any, error) {
	m, err := d.object()
	if err != nil || len(m) == 0 {
		return m, err
	}
	return juel.Normalize(m).(map[string]any), nil
}

// Value gives the content of a document as an expression value.
func (d Document) Value() (any, error) {
	if d == "" {
		return nil, nil
	}
	v, err := decode(string(d))
	if err != nil {
		return nil, err
	}
	return juel.Normalize(v), nil
}

func decode(text string) (any, error) {
	p := reading{text: text}
	v, err := p.value()
	if err != nil {
		return nil, err
	}
	if p.space(); p.at != len(p.text) {
		return nil, errJSON
	}
	return v, nil
}

// encode writes a value with the keys of maps sorted.
func encode(v any) (Document, error) {
	switch v.(type) {
	case nil, bool, int64, string, []any, map[string]any:
		if b, ok := appendValue(make([]byte, 0, 128), v); ok {
			return Document(b), nil
		}
	}
	text, err := json.Marshal(v)
	if err == nil && !bytes.Contains(text, []byte(`\u00`)) {
		return Document(text), nil
	}
	var b bytes.Buffer // Marshal's escapes for HTML would change stored texts
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return "", fmt.Errorf("value cannot be stored as JSON: %w", err)
	}
	return Document(bytes.TrimRight(b.Bytes(), "\n")), nil
}

// canonical gives the value as it will read after a save and load, so that a
// command sees the same whether or not the aggregate was reloaded before it.
func canonical(v any) (any, error) {
	switch v.(type) {
	case nil, bool, int64, string:
		return v, nil
	}
	doc, err := encode(v)
	if err != nil {
		return nil, err
	}
	return doc.Value()
}

func sortedNames(m map[string]any) []string {
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
