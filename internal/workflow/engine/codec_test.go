package engine

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"viva/internal/workflow/juel"
)

// slowDecode and slowEncode are encoding/json, the judge of the codec.
func slowDecode(text string) (any, error) {
	if !json.Valid([]byte(text)) {
		return nil, errJSON
	}
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	var v any
	err := dec.Decode(&v)
	return v, err
}

func slowEncode(v any) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(v)
	return strings.TrimRight(b.String(), "\n")
}

func compareCodec(t *testing.T, text string) {
	t.Helper()
	fast, err := decode(text)
	slow, slowErr := slowDecode(text)
	if strings.Count(text, "[")+strings.Count(text, "{") > maxNesting {
		return
	}
	if (err == nil) != (slowErr == nil) {
		t.Fatalf("%q: %v, encoding/json: %v", text, err, slowErr)
	}
	if err != nil {
		return
	}
	if a, b := juel.Normalize(fast), juel.Normalize(slow); !reflect.DeepEqual(a, b) {
		t.Fatalf("%q: %#v, encoding/json: %#v", text, a, b)
	}
	doc, err := encode(fast)
	if want := slowEncode(slow); err != nil || string(doc) != want {
		t.Fatalf("%q is written %q (%v), by encoding/json %q", text, doc, err, want)
	}
}

var codecSeeds = []string{
	`null`, `true`, `false`, `0`, `-0`, `00`, `01`, `-1`, `+1`, `1.`, `.5`, `1.50`, `1e5`, `1E+2`, `--1`, `9223372036854775807`, `9223372036854775808`,
	`""`, `"a"`, `"\u00e9\n\"x\\"`, `"<&>"`, `"\ud800"`, `"\ud83d\ude00"`, `"学位论文"`, "\"\u2028\"", "\"\x7f\"", "\"\xff\"", "\"\x01\"", `"\`, `"a`, `"\q"`,
	`[]`, `[1,2]`, `[1,]`, `[,1]`, `[1 2]`, `[`, `]`, `{}`, `{"b":1,"a":[{"c":null}]}`, `{"a":1,"a":2}`, `{"a":1,}`, `{"a" 1}`, `{a:1}`, `{"a":}`, `{`,
	` { "a" : [ 1 , 2 ] } `, `1 2`, `nul`, `truex`, ``, ` `, `{"":0}`, `[[[[[]]]]]`,
}

func TestCodec(t *testing.T) {
	for _, text := range codecSeeds {
		compareCodec(t, text)
	}
	deep := strings.Repeat("[", 100_000)
	if _, err := decode(deep + strings.Repeat("]", 100_000)); err == nil {
		t.Error("endless nesting was read")
	}
}

func FuzzCodec(f *testing.F) {
	for _, text := range codecSeeds {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) { compareCodec(t, text) })
}
