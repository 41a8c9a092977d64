package store

import (
	"database/sql/driver"
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/danielgtaylor/huma/v2"
)

// JSON stores any value as JSON text and shows it as plain JSON on the wire.
type JSON[T any] struct{ V T }

// Scan reads the column.
func (j *JSON[T]) Scan(src any) error {
	var zero T
	j.V = zero
	switch s := src.(type) {
	case nil:
		return nil
	case string:
		if s == "" {
			return nil
		}
		return json.Unmarshal([]byte(s), &j.V)
	case []byte:
		return json.Unmarshal(s, &j.V)
	}
	return fmt.Errorf("store: JSON column holds %T", src)
}

// Value writes the column.
func (j JSON[T]) Value() (driver.Value, error) {
	b, err := json.Marshal(j.V)
	return string(b), err
}

// MarshalJSON shows the inner value; an empty list is [], never null.
func (j JSON[T]) MarshalJSON() ([]byte, error) {
	if v := reflect.ValueOf(&j.V).Elem(); v.Kind() == reflect.Slice && v.IsNil() {
		return []byte("[]"), nil
	}
	return json.Marshal(j.V)
}

// Schema describes the inner value in the OpenAPI document.
func (JSON[T]) Schema(r huma.Registry) *huma.Schema { return r.Schema(reflect.TypeFor[T](), true, "") }

// UnmarshalJSON reads the inner value.
func (j *JSON[T]) UnmarshalJSON(b []byte) error { return json.Unmarshal(b, &j.V) }
