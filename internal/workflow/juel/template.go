package juel

import (
	"strings"
	"unicode/utf8"
)

// template joins text and values; null counts as "".
type template struct{ parts []node }

func (n *template) eval(r *run) (any, error) {
	var b strings.Builder
	for _, part := range n.parts {
		v, err := part.eval(r)
		if err != nil {
			return nil, err
		}
		s, err := r.text(known(v))
		if err != nil {
			return nil, at(1, err)
		}
		if b.WriteString(s); b.Len() > maxString {
			return nil, at(1, tooLong())
		}
	}
	return b.String(), nil
}

func (n *template) children() []node { return n.parts }

// template reads text and wrappers up to the end. Blanks around a single wrapper,
// as XML indentation makes them, do not turn its value into a string.
func (p *parser) template() node {
	if !utf8.ValidString(p.src) {
		p.fail(0, "表达式不是合法的 UTF-8 文本", "the expression is not valid UTF-8")
		return nil
	}
	var parts []node
	for p.err == nil {
		if text := p.text(); text != "" {
			parts = append(parts, &literal{text})
		}
		if p.pos >= len(p.src) {
			break
		}
		parts = append(parts, p.wrapper())
	}
	if p.err != nil {
		return nil
	}
	limit := maxLiteral
	if p.wrapped {
		limit = maxSource
	}
	if len(p.src) > limit {
		p.fail(limit, "表达式超过 %d 字节", "longer than %d bytes", limit)
		return nil
	}
	return compose(parts)
}

func compose(parts []node) node {
	switch len(parts) {
	case 0:
		return &literal{""}
	case 1:
		return parts[0]
	}
	var wrapped []node
	for _, n := range parts {
		if l, text := n.(*literal); !text || !blank(l.value) {
			wrapped = append(wrapped, n)
		}
	}
	if len(wrapped) == 1 {
		if _, text := wrapped[0].(*literal); !text {
			return wrapped[0]
		}
	}
	return &template{parts}
}

func blank(v any) bool {
	s, ok := v.(string)
	return ok && strings.TrimSpace(s) == ""
}

// text reads up to the next wrapper. A backslash before ${ or #{ keeps it as text.
func (p *parser) text() string {
	var b strings.Builder
	for p.pos < len(p.src) {
		rest := p.src[p.pos:]
		switch {
		case strings.HasPrefix(rest, `\${`) || strings.HasPrefix(rest, `\#{`):
			b.WriteString(rest[1:3])
			p.pos += 3
		case strings.HasPrefix(rest, "${") || strings.HasPrefix(rest, "#{"):
			return b.String()
		default:
			b.WriteByte(rest[0])
			p.pos++
		}
	}
	return b.String()
}

func (p *parser) wrapper() node {
	start := p.pos
	p.wrapped = true
	if len(p.src) > maxSource {
		p.fail(maxSource, "表达式超过 %d 字节", "longer than %d bytes", maxSource)
		return nil
	}
	p.pos += 2
	p.next()
	if p.is("}") {
		p.fail(start, "表达式为空", "the expression is empty")
		return nil
	}
	n := p.expression()
	if p.err == nil && p.tok.kind == end {
		p.fail(start, "表达式缺少结尾的 }", "the expression has no closing }")
	} else if !p.is("}") {
		p.unexpected()
	}
	return n // the text after } starts at p.pos
}
