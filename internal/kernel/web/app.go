package web

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"sort"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"viva/internal/kernel/actor"
	"viva/internal/kernel/store"
)

// Prefix is where all calls live.
const Prefix = "/admin-api"

// Authenticator resolves sessions and tenants; module identity is the one in the product.
type Authenticator interface {
	// Actor gives the caller of a bearer token, or errs.ErrUnauthenticated.
	Actor(ctx context.Context, token string) (actor.Actor, error)
	// Tenant refuses a tenant that is unknown, disabled or expired.
	Tenant(ctx context.Context, id int64) error
}

// Options are the limits of an App; zero values take the defaults.
type Options struct {
	// UserRate is the number of calls a second per user, burst four times as many; negative is unlimited.
	UserRate float64
	// Timeout bounds one call; clients give up at 30 s.
	Timeout time.Duration
	// TrustedProxies are the peers, besides this machine, whose X-Forwarded-For counts.
	TrustedProxies []netip.Prefix
	Version        string
	// NoDocument keeps in the OpenAPI document only the schemas that check inputs. A
	// server sets it: nobody asks it for the document, which is a quarter of its own memory.
	NoDocument bool
}

// App is the set of declared calls over one database.
type App struct {
	API     huma.API
	DB      *store.DB
	mux     *http.ServeMux
	auth    Authenticator
	calls   []*Call
	options Options
	limits  *limiter
	metrics *metrics
	ready   []func(context.Context) error
	// Dictionary gives the enabled values and labels of a dictionary type in the caller's
	// tenant and language; nil until the module that keeps dictionaries sets it.
	Dictionary func(ctx context.Context, dictType string) (map[string]string, error)
	// Entities describes the entities for the web page generator, by wire name.
	Entities map[string]any
}

// Call is one declared call, as the matrix and the documents list it.
type Call struct {
	Module   string
	Method   string
	Path     string
	Access   Access
	Summary  string
	noTx     bool
	before   func(context.Context, any) (context.Context, error)
	bodyTime time.Duration
	observe  *observer
}

// Name is METHOD /path without the prefix.
func (c *Call) Name() string { return c.Method + " " + c.Path }

// InTransaction reports whether everything the call changes stands in one transaction.
func (c *Call) InTransaction() bool { return c.Method != http.MethodGet && !c.noTx }

// New makes an App. SetAuthenticator must follow before it serves.
func New(db *store.DB, o Options) *App {
	if o.UserRate == 0 {
		o.UserRate = 50
	}
	if o.Timeout == 0 {
		o.Timeout = 25 * time.Second
	}
	huma.DefaultArrayNullable = false
	huma.NewErrorWithContext = translate
	huma.NewError = func(status int, msg string, list ...error) huma.StatusError {
		return translate(nil, status, msg, list...)
	}
	config := huma.DefaultConfig("Viva", o.Version)
	config.OpenAPIPath, config.DocsPath, config.SchemasPath = "", "", ""
	config.CreateHooks = nil
	config.Components.Schemas = huma.NewMapRegistry("#/components/schemas/", schemaName)
	config.AllowAdditionalPropertiesByDefault = true
	config.FieldsOptionalByDefault = true
	config.Formats = map[string]huma.Format{"application/json": jsonFormat, "json": jsonFormat}
	mux := http.NewServeMux()
	app := &App{DB: db, mux: mux, options: o, limits: newLimiter(o.UserRate), metrics: newMetrics(), Entities: map[string]any{}}
	app.API = humago.NewWithPrefix(mux, Prefix, config)
	mux.HandleFunc(Prefix+"/", app.noRoute)
	return app
}

// SetAuthenticator sets who resolves sessions.
func (app *App) SetAuthenticator(a Authenticator) { app.auth = a }

// Handle adds a plain handler outside the envelope (assets, health).
func (app *App) Handle(pattern string, h http.Handler) { app.mux.Handle(pattern, h) }

// OnReady adds a readiness check.
func (app *App) OnReady(check func(context.Context) error) { app.ready = append(app.ready, check) }

// Calls lists all declared calls by path and method.
func (app *App) Calls() []*Call {
	list := append([]*Call{}, app.calls...)
	sort.Slice(list, func(i, j int) bool {
		if list[i].Path != list[j].Path {
			return list[i].Path < list[j].Path
		}
		return list[i].Method < list[j].Method
	})
	return list
}

// Module is one module's view of the App: its wire prefix.
type Module struct {
	Name string
	App  *App
}

// Module gives the view of a module; name is the wire prefix ("system", "thesis").
func (app *App) Module(name string) *Module { return &Module{Name: name, App: app} }

// Option adjusts a declared call.
type Option func(*Call)

// NoTx leaves the transaction to the function: for calls that hash passwords, read
// files or must keep a change although they answer an error. Idempotency keys are not
// honoured there: a key is kept with a digest of the body, which may hold a password.
func NoTx(c *Call) { c.noTx = true }

// Before runs fn with the input of a changing call before its transaction begins: for
// work that must not keep others from writing, such as asking another system. The call
// finds what fn put into its context. A repeated request runs fn again before its first
// answer is found; RequestKey is the same then.
func Before[I any](fn func(context.Context, I) (context.Context, error)) Option {
	return func(c *Call) {
		c.before = func(ctx context.Context, in any) (context.Context, error) { return fn(ctx, in.(I)) }
	}
}

// Title sets the summary in the documents.
func Title(text string) Option { return func(c *Call) { c.Summary = text } }

func (m *Module) declare(method, path string, access Access, options []Option) *Call {
	if access.kind == denied {
		panic("web: " + method + " " + path + " has no access rule")
	}
	for _, p := range access.perms {
		if p == "" {
			panic("web: empty permission on " + path)
		}
	}
	c := &Call{Module: m.Name, Method: method, Path: "/" + m.Name + path, Access: access}
	for _, o := range options {
		o(c)
	}
	c.observe, c.bodyTime = m.App.metrics.of(c), m.App.options.Timeout
	m.App.calls = append(m.App.calls, c)
	return c
}

func (m *Module) operation(c *Call) huma.Operation {
	return huma.Operation{
		Hidden:      m.App.options.NoDocument,
		OperationID: operationID(c), Method: c.Method, Path: c.Path, Summary: c.Summary, Tags: []string{c.Module},
		MaxBodyBytes: maxBody, BodyReadTimeout: 20 * time.Second,
		Middlewares: huma.Middlewares{m.App.guard(c)},
		Extensions:  map[string]any{"x-permission": c.Access.String()},
		Metadata:    map[string]any{},
	}
}

func operationID(c *Call) string {
	var b bytes.Buffer
	for _, r := range c.Path[1:] {
		if r == '/' || r == '{' || r == '}' || r == ':' {
			r = '-'
		}
		b.WriteRune(r)
	}
	return fmt.Sprintf("%s-%s", map[string]string{"GET": "get", "POST": "post", "PUT": "put", "DELETE": "delete"}[c.Method], b.String())
}

const (
	maxBody  = 1 << 20
	maxDepth = 32
)

var errDepth = errors.New("json: nested too deep")

// jsonFormat treats null members as absent and refuses deep nesting.
var jsonFormat = huma.Format{
	Marshal: func(w io.Writer, v any) error {
		enc := json.NewEncoder(w)
		enc.SetEscapeHTML(false)
		return enc.Encode(v)
	},
	Unmarshal: func(data []byte, v any) error {
		if tooDeep(data) {
			return errDepth
		}
		if err := json.Unmarshal(data, v); err != nil {
			return err
		}
		if p, ok := v.(*any); ok {
			stripNulls(*p)
		}
		return nil
	},
}

func tooDeep(data []byte) bool {
	depth, quoted, escaped := 0, false, false
	for _, b := range data {
		switch {
		case escaped:
			escaped = false
		case quoted:
			escaped, quoted = b == '\\', b != '"'
		case b == '"':
			quoted = true
		case b == '{' || b == '[':
			if depth++; depth > maxDepth {
				return true
			}
		case b == '}' || b == ']':
			depth--
		}
	}
	return false
}

func stripNulls(v any) {
	switch x := v.(type) {
	case map[string]any:
		for k, e := range x {
			if e == nil {
				delete(x, k)
			} else {
				stripNulls(e)
			}
		}
	case []any:
		for _, e := range x {
			stripNulls(e)
		}
	}
}
