package web

import (
	"context"
	"encoding/json"
	"net/http"
	"reflect"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"viva/internal/kernel/errs"
	"viva/internal/kernel/i18n"
	"viva/internal/kernel/store"
)

// None is the input of a call without input, and the output of one without data.
type None struct{}

// Func is the body of a call.
type Func[I, O any] func(context.Context, I) (O, error)

// Get declares a reading call; I's fields carry query:"name" tags.
func Get[I, O any](m *Module, path string, access Access, fn Func[I, O], o ...Option) {
	register(m, m.declare(http.MethodGet, path, access, o), fn)
}

// Post declares a changing call. I is the JSON body, unless its fields carry query tags.
func Post[I, O any](m *Module, path string, access Access, fn Func[I, O], o ...Option) {
	register(m, m.declare(http.MethodPost, path, access, o), fn)
}

// Put declares a changing call like Post.
func Put[I, O any](m *Module, path string, access Access, fn Func[I, O], o ...Option) {
	register(m, m.declare(http.MethodPut, path, access, o), fn)
}

// Delete declares a changing call whose input is the query.
func Delete[I, O any](m *Module, path string, access Access, fn Func[I, O], o ...Option) {
	register(m, m.declare(http.MethodDelete, path, access, o), fn)
}

// body is the input of every call with a JSON body, and reply the answer of every call.
// Each pair of types given to huma.Register is compiled on its own, 20 kB of code at a time, so
// they are the same for all calls; the document and the check get the real types from
// the schemas set in register.
type body struct {
	Body json.RawMessage
}

type reply struct {
	Body any
}

func register[I, O any](m *Module, c *Call, fn Func[I, O]) {
	op := m.operation(c)
	in := reflect.TypeFor[I]()
	op.Metadata["labels"] = labels(in)
	op.Responses = map[string]*huma.Response{"200": {Description: http.StatusText(http.StatusOK), Content: undocumented}}
	if !op.Hidden {
		op.Responses["200"].Content = m.jsonOf(reflect.TypeFor[Envelope[O]](), op.OperationID+"Response")
	}
	if c.Method == http.MethodGet || c.Method == http.MethodDelete || in == reflect.TypeFor[None]() || hasParams(in) {
		huma.Register(m.App.API, op, func(ctx context.Context, in *I) (*reply, error) {
			return invoke(ctx, c, *in, fn)
		})
		return
	}
	op.RequestBody = &huma.RequestBody{Content: m.jsonOf(in, op.OperationID+"Request")}
	huma.Register(m.App.API, op, func(ctx context.Context, b *body) (*reply, error) {
		var in I
		if err := json.Unmarshal(b.Body, &in); err != nil {
			return nil, failure(ctx, errs.Fields([]errs.FieldError{{Msg: sentence(ctx, err.Error())}}))
		}
		return invoke(ctx, c, in, fn)
	})
}

// undocumented stands for the answers of all calls where the document is not kept.
var undocumented = map[string]*huma.MediaType{"application/json": {Schema: &huma.Schema{}}}

// jsonOf is the media type of a body; hint names its schema when the type has no name.
func (m *Module) jsonOf(t reflect.Type, hint string) map[string]*huma.MediaType {
	return map[string]*huma.MediaType{"application/json": {Schema: m.App.API.OpenAPI().Components.Schemas.Schema(t, true, hint)}}
}

func invoke[I, O any](ctx context.Context, c *Call, in I, fn Func[I, O]) (*reply, error) {
	var out Envelope[O]
	err := c.run(ctx, in, &out.Data, func(ctx context.Context) (err error) {
		out.Data, err = fn(ctx, in)
		return err
	})
	if err != nil {
		return nil, failure(ctx, err)
	}
	return &reply{Body: &out}, nil
}

// run gives a changing call its transaction and idempotency; answer points to where
// exec leaves the data.
func (c *Call) run(ctx context.Context, in, answer any, exec func(context.Context) error) error {
	if c.Method == http.MethodGet || c.noTx {
		return exec(ctx)
	}
	if c.before != nil {
		var err error
		if ctx, err = c.before(ctx, in); err != nil {
			return err
		}
	}
	return store.Write(ctx, func(ctx context.Context) error {
		replay, err := c.claim(ctx, in, answer)
		if err != nil || replay {
			return err
		}
		if err := exec(ctx); err != nil {
			return err
		}
		return c.remember(ctx, answer)
	})
}

func hasParams(t reflect.Type) bool {
	for _, f := range reflect.VisibleFields(t) {
		if f.Name == "Body" || f.Tag.Get("query") != "" || f.Tag.Get("path") != "" || f.Tag.Get("header") != "" {
			return true
		}
	}
	return false
}

// labels maps JSON and query names to the label in the doc tag ("名称|Name").
func labels(t reflect.Type) map[string]string {
	m := map[string]string{}
	collect(t, m, 0)
	return m
}

func collect(t reflect.Type, m map[string]string, depth int) {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct || depth > 4 {
		return
	}
	for i := range t.NumField() {
		f := t.Field(i)
		for _, tag := range []string{"json", "query", "path", "header"} {
			name, _, _ := strings.Cut(f.Tag.Get(tag), ",")
			label := f.Tag.Get("doc")
			if name != "" && name != "-" && label != "" {
				m[name] = label
			}
		}
		collect(f.Type, m, depth+1)
	}
}

// Lang is the language of the caller, "zh" or "en".
func Lang(ctx context.Context) string { return i18n.Lang(ctx) }
