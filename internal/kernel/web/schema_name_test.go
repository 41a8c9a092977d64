package web

import (
	"reflect"
	"testing"

	"viva/internal/kernel/store"
)

func TestSchemaName(t *testing.T) {
	for want, typ := range map[string]reflect.Type{
		"EnvelopeInt64":         reflect.TypeFor[Envelope[int64]](),
		"EnvelopeNullableInt64": reflect.TypeFor[Envelope[*int64]](),
		"EnvelopeListString":    reflect.TypeFor[Envelope[[]string]](),
		"EnvelopePageFailure":   reflect.TypeFor[Envelope[store.Page[Failure]]](),
	} {
		if got := schemaName(typ, ""); got != want {
			t.Errorf("%s is named %s, want %s", typ, got, want)
		}
	}
	if got := schemaName(reflect.TypeFor[reflect.StructField](), ""); got != "ReflectStructField" {
		t.Errorf("a type of another package is named %s", got)
	}
}
