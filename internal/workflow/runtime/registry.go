package runtime

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"viva/internal/workflow/engine"
)

// Use says where a handler may stand in a model.
type Use string

// The places of handlers.
const (
	ForService   Use = "service"   // service and send task, message throw event
	ForExecution Use = "execution" // execution listener
	ForTask      Use = "task"      // task listener
)

// Field describes one injected value for the designer and the deployment check. Type
// is string, number, boolean, list or object.
type Field struct {
	Name     string `json:"name"`
	Type     string `json:"type"`
	Required bool   `json:"required"`
	Zh       string `json:"zh"`
	En       string `json:"en"`
}

// Call is one call of registered code. Key is the same at every try and tells an
// outside system repeated tries apart from new work.
type Call struct {
	engine.Invocation
	Key string
}

// Decode reads the injected fields into v, a pointer to a struct with JSON tags.
func (c *Call) Decode(v any) error {
	text, err := json.Marshal(c.Fields)
	if err == nil {
		err = json.Unmarshal(text, v)
	}
	if err != nil {
		return fmt.Errorf("fields of %s: %w", c.Handler, err)
	}
	return nil
}

// Handler is code that models refer to by name. A synchronous one runs inside the
// command and its transaction: no network. An asynchronous one runs as a job outside
// any transaction, at least once.
type Handler struct {
	Name   string
	Uses   []Use
	Fields []Field
	Async  bool
	// Timeout bounds an asynchronous run; 30 s when 0.
	Timeout time.Duration
	Zh, En  string
	// Func answers outputs, a *engine.Fault to throw a BPMN error, or an error that
	// fails the command (synchronous) or the try (asynchronous).
	Func func(ctx context.Context, c *Call) (engine.Outcome, error)
}

// Decision is a registered rule of business-rule tasks. It answers rows of outputs.
type Decision struct {
	Name   string
	Inputs []Field
	Zh, En string
	Func   func(ctx context.Context, c *Call) ([]map[string]any, error)
}

// Bean is a set of methods that expressions may call as name.method(…); the bean with
// the empty name holds plain functions.
type Bean struct {
	Name    string
	Zh, En  string
	Methods map[string]Method
}

// Method is one method of a bean.
type Method struct {
	Args   []Field
	Zh, En string
	Func   func(ctx context.Context, args []any) (any, error)
}

// registry holds what models may refer to. It is filled at start-up and only read
// afterwards.
type registry struct {
	handlers  map[string]Handler
	decisions map[string]Decision
	beans     map[string]Bean
}

func newRegistry(o Options) *registry {
	r := &registry{handlers: map[string]Handler{}, decisions: map[string]Decision{}, beans: map[string]Bean{}}
	for _, h := range o.Handlers {
		r.addHandler(h)
	}
	for _, d := range o.Decisions {
		r.addDecision(d)
	}
	for _, b := range o.Beans {
		if _, taken := r.beans[b.Name]; taken || len(b.Methods) == 0 {
			panic("runtime: bean " + b.Name + " is incomplete or declared twice")
		}
		r.beans[b.Name] = b
	}
	return r
}

func (r *registry) addHandler(h Handler) {
	_, taken := r.handlers[h.Name]
	if taken || h.Name == "" || h.Func == nil || len(h.Uses) == 0 {
		panic("runtime: handler " + h.Name + " is incomplete or declared twice")
	}
	if h.Async && (slices.Contains(h.Uses, ForExecution) || slices.Contains(h.Uses, ForTask)) {
		panic("runtime: handler " + h.Name + " is a listener and cannot be asynchronous")
	}
	if h.Timeout <= 0 {
		h.Timeout = 30 * time.Second
	}
	r.handlers[h.Name] = h
}

func (r *registry) addDecision(d Decision) {
	if _, taken := r.decisions[d.Name]; taken || d.Name == "" || d.Func == nil {
		panic("runtime: decision " + d.Name + " is incomplete or declared twice")
	}
	r.decisions[d.Name] = d
}

// Register adds a handler. Call it before the engine is used; an incomplete one, or a
// name taken twice, stops the start.
func (e *Engine) Register(h Handler) { e.registry.addHandler(h) }

// RegisterDecision adds a decision, as Register does a handler.
func (e *Engine) RegisterDecision(d Decision) { e.registry.addDecision(d) }

func (r *registry) handler(name string, use Use) (Handler, bool) {
	h, ok := r.handlers[name]
	return h, ok && slices.Contains(h.Uses, use)
}

func (r *registry) method(bean, method string) (Method, bool) {
	m, ok := r.beans[bean].Methods[method]
	return m, ok
}

// Handlers lists the registered handlers by name, for the designer.
func (e *Engine) Handlers() []Handler { return sorted(e.registry.handlers) }

// Decisions lists the registered decisions by name.
func (e *Engine) Decisions() []Decision { return sorted(e.registry.decisions) }

// Beans lists the registered beans by name.
func (e *Engine) Beans() []Bean { return sorted(e.registry.beans) }

func sorted[T any](m map[string]T) []T {
	list := make([]T, 0, len(m))
	for _, name := range slices.Sorted(maps.Keys(m)) {
		list = append(list, m[name])
	}
	return list
}
