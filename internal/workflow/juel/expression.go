package juel

import (
	"slices"
	"time"
)

// The limits of a source.
const (
	maxSource  = 4 << 10
	maxLiteral = 64 << 10 // a source without an expression
	maxDepth   = 64
	maxNodes   = 500
	maxArgs    = 8
)

// Expr is a parsed source. It is immutable.
type Expr struct {
	source  string
	root    node
	literal bool
	names   []string
	calls   []string
}

// Parse reads a source; the error is a *SyntaxError.
func Parse(source string) (*Expr, error) {
	p := &parser{src: source}
	root := p.template()
	if p.err != nil {
		return nil, p.err
	}
	e := &Expr{source: source, root: root}
	if e.literal = !p.wrapped; e.literal {
		return e, nil
	}
	s := survey{expr: e}
	if depth := s.visit(root); depth > maxDepth {
		return nil, p.fail(0, "表达式嵌套超过 %d 层，请拆成几个变量", "nested deeper than %d; split it into variables", maxDepth)
	}
	if s.nodes > maxNodes {
		return nil, p.fail(0, "表达式超过 %d 个运算项，请拆成几个变量", "more than %d operations; split it into variables", maxNodes)
	}
	return e, nil
}

// Source gives the text that was parsed.
func (e *Expr) Source() string { return e.source }

// IsLiteral tells that the source has no expression: its value is its text.
func (e *Expr) IsLiteral() bool { return e.literal }

// Names lists the free variables in the order they appear. A name in front of a
// bean call is not among them.
func (e *Expr) Names() []string { return e.names }

// Calls lists the bean calls as "bean.method" in the order they appear. Functions
// are not among them: Parse refuses unknown ones. A method that values have, like
// x.contains(y), counts as a variable's, not as a bean's.
func (e *Expr) Calls() []string { return e.calls }

// Identifier gives the name when the whole source is ${name}, else "": the form
// in which a delegate expression names a registered handler.
func (e *Expr) Identifier() string {
	if id, ok := e.root.(*ident); ok {
		return id.name
	}
	return ""
}

// Env is what an expression sees of the world. Variable looks from the nearest
// scope outward; Call runs a registered bean; Now is the clock of the command, its
// location decides about days.
type Env interface {
	Variable(name string) (value any, ok bool)
	Call(bean, method string, args []any) (any, error)
	Now() time.Time
}

// Eval gives the value: nil, bool, int64, Decimal, string, time.Time, []any or
// map[string]any. The error is an *EvalError.
func (e *Expr) Eval(env Env) (any, error) {
	v, err := e.root.eval(&run{env: env})
	if err != nil {
		return nil, err
	}
	return known(v), nil
}

// Bool gives the value of a condition: a boolean or the text true or false. Any
// other value is an error, never a guess.
func (e *Expr) Bool(env Env) (bool, error) {
	v, err := e.root.eval(&run{env: env})
	if err != nil {
		return false, err
	}
	switch x := v.(type) {
	case bool:
		return x, nil
	case string:
		if b, ok := truth(x); ok {
			return b, nil
		}
	case *ident:
		return false, at(x.column, x.unknown())
	}
	return false, at(1, typed("条件的结果应为 true 或 false，实际为%s", "the result of a condition must be true or false, not a %s", v))
}

// survey counts what a parsed expression holds.
type survey struct {
	expr  *Expr
	nodes int
}

// visit returns the depth of n.
func (s *survey) visit(n node) int {
	s.nodes++
	switch x := n.(type) {
	case *ident:
		s.name(x.name)
	case *beanCall:
		if x.own != nil {
			s.name(x.bean.name)
		} else if c := x.bean.name + "." + x.method; !slices.Contains(s.expr.calls, c) {
			s.expr.calls = append(s.expr.calls, c)
		}
	}
	depth := 0
	for _, c := range n.children() {
		depth = max(depth, s.visit(c))
	}
	return depth + 1
}

func (s *survey) name(name string) {
	if !slices.Contains(s.expr.names, name) {
		s.expr.names = append(s.expr.names, name)
	}
}
