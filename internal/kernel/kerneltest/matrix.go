package kerneltest

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2"

	"viva/internal/kernel/actor"
	"viva/internal/kernel/store"
	"viva/internal/kernel/web"
)

var update = flag.Bool("update", false, "rewrite golden files")

func updating() bool { return *update || os.Getenv("VIVA_UPDATE_GOLDEN") != "" }

// Golden compares text with a file; go test -update, or VIVA_UPDATE_GOLDEN=1, rewrites it.
func Golden(t testing.TB, path, got string) {
	t.Helper()
	if updating() {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v (go test -update writes it)", err)
	}
	if string(want) != got {
		t.Errorf("%s differs (go test -update rewrites it):\n%s", path, difference(string(want), got))
	}
}

// difference lists the lines only one side has.
func difference(want, got string) string {
	a, b := strings.Split(want, "\n"), strings.Split(got, "\n")
	var out strings.Builder
	for _, side := range []struct {
		sign      string
		these, of []string
	}{{"-", a, b}, {"+", b, a}} {
		known := map[string]int{}
		for _, line := range side.of {
			known[line]++
		}
		for _, line := range side.these {
			if known[line]--; known[line] < 0 {
				_, _ = fmt.Fprintf(&out, "%s %s\n", side.sign, line)
			}
		}
	}
	return out.String()
}

// OtherTenant is the actor of a matrix that belongs to the tenant whose rows carry
// MarkerB, and may therefore see it.
const OtherTenant = "other tenant"

// Values gives what a call is asked with: the value of a parameter or body member by its
// name, nil for the plainest one. Ids that are not given are 1.
type Values func(c *web.Call, name string) any

// Matrix makes every declared call as every actor (name → token; an empty token is
// anonymous) with the smallest input its description allows, and compares the classes
// of the outcomes with a golden file: ok, a code of the envelope, or an HTTP status.
// Changing calls run in a transaction that is undone, so that each finds the rows as
// they were; those that keep their own transactions (web.NoTx) get an id of no row. The
// app needs Options.UserRate < 0. An outcome 500 and an answer with a foreign marker
// fail in any case. The outcomes are given by call and actor.
func Matrix(t *testing.T, app *web.App, actors map[string]string, path string, values Values) map[string]map[string]string {
	t.Helper()
	plain := app.Handler("/")
	wired := Tripwire(t, plain, MarkerB)
	names := slices.Sorted(maps.Keys(actors))
	classes := map[string]map[string]string{}
	var out strings.Builder
	for _, c := range app.Calls() {
		_, _ = fmt.Fprintf(&out, "%s  [%s]\n", c.Name(), c.Access)
		classes[c.Name()] = map[string]string{}
		for _, name := range names {
			s := minimal(app, c, valuesFor(c, values))
			s.As = actors[name]
			h := wired
			if name == OtherTenant {
				h = plain
			}
			got := undone(t, app, c, h, s)
			class := outcome(got)
			if class == "500" {
				t.Errorf("%s as %s: %s", c.Name(), name, got.Raw)
			}
			classes[c.Name()][name] = class
			_, _ = fmt.Fprintf(&out, "    %-24s %s\n", name, class)
		}
	}
	Golden(t, path, out.String())
	return classes
}

// Hostile puts each payload into each text parameter and body member of every call, one at
// a time, as one actor, and undoes what it changed. A refusal is fine; an outcome 500 is
// not. It gives how often a payload was accepted.
func Hostile(t *testing.T, app *web.App, token string, values Values, payloads ...string) (accepted int) {
	t.Helper()
	h := app.Handler("/")
	for _, c := range app.Calls() {
		if c.Method != http.MethodGet && !c.InTransaction() {
			continue // nothing would undo it; these calls have tests of their own
		}
		for _, name := range texts(app.API.OpenAPI(), c) {
			for _, payload := range payloads {
				s := minimal(app, c, func(c *web.Call, asked string) any {
					if asked == name {
						return payload
					}
					return valuesFor(c, values)(c, asked)
				})
				s.As = token
				switch got := undone(t, app, c, h, s); outcome(got) {
				case "500":
					t.Errorf("%s with %s = %q: %s", c.Name(), name, payload, got.Raw)
				case "ok":
					accepted++
				}
			}
		}
	}
	return accepted
}

// texts are the names of a call's text parameters and body members.
func texts(doc *huma.OpenAPI, c *web.Call) []string {
	op := operation(doc, c)
	if op == nil {
		return nil
	}
	var names []string
	for _, p := range op.Parameters {
		if p.In == "query" && p.Schema != nil && p.Schema.Type == huma.TypeString {
			names = append(names, p.Name)
		}
	}
	if op.RequestBody != nil && op.RequestBody.Content["application/json"] != nil {
		s := op.RequestBody.Content["application/json"].Schema
		if s.Ref != "" {
			s = doc.Components.Schemas.SchemaFromRef(s.Ref)
		}
		for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
			if s.Properties[name].Type == huma.TypeString {
				names = append(names, name)
			}
		}
	}
	return names
}

var errUndo = errors.New("kerneltest: undo")

// undone makes a call inside a transaction that is rolled back; reading calls and those
// with transactions of their own run as they are.
func undone(t testing.TB, app *web.App, c *web.Call, h http.Handler, s Scenario) (got Answer) {
	t.Helper()
	r := s.Request(t, "zh")
	if !c.InTransaction() {
		return answer(h, r)
	}
	err := store.Write(actor.AsSystem(store.Use(r.Context(), app.DB), 1), func(ctx context.Context) error {
		got = answer(h, r.WithContext(actor.With(ctx, actor.Actor{})))
		return errUndo
	})
	if !errors.Is(err, errUndo) {
		t.Fatalf("%s: %v", c.Name(), err)
	}
	return got
}

// valuesFor completes values with the ids that nobody gave.
func valuesFor(c *web.Call, values Values) Values {
	return func(_ *web.Call, name string) any {
		if c.Method != http.MethodGet && !c.InTransaction() {
			values = nil
		}
		if values != nil {
			if v := values(c, name); v != nil {
				return v
			}
		}
		switch {
		case !isID(name):
			return nil
		case c.Method != http.MethodGet && !c.InTransaction():
			return int64(unknownID)
		}
		return int64(1)
	}
}

func outcome(a Answer) string {
	switch {
	case a.Status != http.StatusOK:
		return fmt.Sprintf("http %d", a.Status)
	case a.Code == 0:
		return "ok"
	case a.Code < 0:
		return "file"
	}
	return fmt.Sprint(a.Code)
}

// unknownID belongs to no row of a test.
const unknownID = 900_000

// Minimal makes the smallest valid input of a call from the OpenAPI document; every
// parameter and body member that is named as an id gets the given one.
func Minimal(app *web.App, c *web.Call, id int64) Scenario {
	return minimal(app, c, func(_ *web.Call, name string) any {
		if isID(name) {
			return id
		}
		return nil
	})
}

// minimal fills required parameters, and others for which there is a value.
func minimal(app *web.App, c *web.Call, values Values) Scenario {
	doc := app.API.OpenAPI()
	s := Scenario{Method: c.Method, URL: c.Path}
	op := operation(doc, c)
	if op == nil {
		return s
	}
	query := url.Values{}
	for _, p := range op.Parameters {
		given := values(c, p.Name)
		_, text := given.(string) // a filter; ids would empty a list
		if p.Schema == nil || !p.Required && (given == nil || !text && (c.Method != http.MethodGet || strings.HasSuffix(c.Path, "page"))) {
			continue
		}
		if given == nil {
			given = sample(doc, p.Schema, 0)
			if list, ok := given.([]any); ok {
				given = append(list, 0)[0]
			}
		}
		switch value := fmt.Sprint(given); p.In {
		case "path":
			s.URL = strings.ReplaceAll(s.URL, "{"+p.Name+"}", value)
		case "query":
			query.Set(p.Name, value)
		}
	}
	if len(query) > 0 {
		s.URL += "?" + query.Encode()
	}
	if op.RequestBody != nil {
		if media := op.RequestBody.Content["application/json"]; media != nil {
			s.Body = sample(doc, media.Schema, 0)
			if body, ok := s.Body.(map[string]any); ok {
				fill(doc, c, media.Schema, body, values)
			}
		}
	}
	return s
}

func isID(name string) bool {
	return name == "id" || name == "ids" || strings.HasSuffix(name, "Id") || strings.HasSuffix(name, "Ids")
}

// fill sets the members for which there is a value, required or not.
func fill(doc *huma.OpenAPI, c *web.Call, s *huma.Schema, body map[string]any, values Values) {
	if s.Ref != "" {
		s = doc.Components.Schemas.SchemaFromRef(s.Ref)
	}
	for name, p := range s.Properties {
		switch given := values(c, name); {
		case given == nil:
		case p.Type == huma.TypeArray:
			if p.Items != nil && p.Items.Type == huma.TypeInteger {
				body[name] = []any{given}
			}
		case p.Type == huma.TypeInteger || p.Type == huma.TypeString:
			if _, text := given.(string); text == (p.Type == huma.TypeString) {
				body[name] = given
			}
		}
	}
}

func operation(doc *huma.OpenAPI, c *web.Call) *huma.Operation {
	item := doc.Paths[c.Path]
	if item == nil {
		item = doc.Paths[web.Prefix+c.Path]
	}
	if item == nil {
		return nil
	}
	return map[string]*huma.Operation{"GET": item.Get, "POST": item.Post, "PUT": item.Put, "DELETE": item.Delete}[c.Method]
}

// sample is the plainest value that satisfies a schema.
func sample(doc *huma.OpenAPI, s *huma.Schema, depth int) any {
	if s == nil || depth > 8 {
		return nil
	}
	if s.Ref != "" {
		return sample(doc, doc.Components.Schemas.SchemaFromRef(s.Ref), depth+1)
	}
	switch {
	case s.Default != nil:
		return s.Default
	case len(s.Enum) > 0:
		return s.Enum[0]
	case len(s.OneOf) > 0:
		return sample(doc, s.OneOf[0], depth+1)
	case len(s.AnyOf) > 0:
		return sample(doc, s.AnyOf[0], depth+1)
	}
	switch s.Type {
	case huma.TypeInteger, huma.TypeNumber:
		if s.Minimum != nil {
			return int64(*s.Minimum)
		}
		return int64(0)
	case huma.TypeBoolean:
		return false
	case huma.TypeString:
		return sampleText(s)
	case huma.TypeArray:
		list := []any{}
		for s.MinItems != nil && len(list) < *s.MinItems {
			list = append(list, sample(doc, s.Items, depth+1))
		}
		return list
	}
	object := map[string]any{}
	for _, name := range s.Required {
		object[name] = sample(doc, s.Properties[name], depth+1)
	}
	return object
}

func sampleText(s *huma.Schema) string {
	switch s.Format {
	case "date":
		return "2026-01-01"
	case "date-time":
		return "2026-01-01T00:00:00Z"
	case "email":
		return "a@example.org"
	case "uri", "url":
		return "https://example.org/"
	case "uuid":
		return "00000000-0000-0000-0000-000000000000"
	}
	if s.MinLength != nil {
		return strings.Repeat("1", *s.MinLength)
	}
	return ""
}
