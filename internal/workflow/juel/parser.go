package juel

import (
	"fmt"
	"strconv"
	"unicode"
	"unicode/utf8"
)

// parser is a recursive descent over the token tok, which starts before pos. The
// first error is kept and ends the input, so that every loop runs out.
type parser struct {
	src     string
	pos     int
	tok     token
	depth   int
	wrapped bool
	err     *SyntaxError
}

func (p *parser) fail(pos int, zh, en string, args ...any) *SyntaxError {
	return p.refuse(pos, fmt.Sprintf(zh, args...), fmt.Sprintf(en, args...))
}

func (p *parser) refuse(pos int, zh, en string) *SyntaxError {
	if p.err == nil {
		p.err = &SyntaxError{p.column(pos), zh, en}
	}
	p.tok = token{kind: end, pos: pos}
	p.pos = len(p.src)
	return p.err
}

func (p *parser) column(pos int) int { return utf8.RuneCountInString(p.src[:min(pos, len(p.src))]) + 1 }

// expression reads EL's Choice: condition ? yes : no.
func (p *parser) expression() node {
	if !p.enter() {
		return nil
	}
	defer p.leave()
	first := p.binary(1)
	column := p.column(p.tok.pos)
	if !p.accept("?") {
		return first
	}
	yes := p.expression()
	p.expect(":", "三元运算缺少 “:”", "the choice has no \":\"")
	return &choice{first, yes, p.expression(), column}
}

// powers of the binary operators, EL §1.15.
var powers = map[string]int{
	"||": 1, "&&": 2, "==": 3, "!=": 3, "<": 4, ">": 4, "<=": 4, ">=": 4, "+": 5, "-": 5, "*": 6, "/": 6, "%": 6,
}

func (p *parser) binary(least int) node {
	left := p.unary()
	for p.tok.kind == operator {
		op, pos := p.tok.text, p.tok.pos
		power, ok := powers[op]
		if !ok || power < least {
			break
		}
		p.next()
		left = p.operation(op, pos, left, p.binary(power+1))
	}
	return left
}

func (p *parser) operation(op string, pos int, left, right node) node {
	column := p.column(pos)
	switch op {
	case "||", "&&":
		and := op == "&&"
		if chain, ok := left.(*logic); ok && chain.and == and {
			chain.operands = append(chain.operands, right)
			return chain
		}
		return &logic{and, []node{left, right}, column}
	case "+", "-", "*", "/", "%":
		return &arithmetic{op[0], left, right, column}
	}
	return &comparison{relations[op], left, right, column}
}

func (p *parser) unary() node {
	if !p.enter() {
		return nil
	}
	defer p.leave()
	column := p.column(p.tok.pos)
	switch {
	case p.accept("-"):
		return &negation{p.unary(), column}
	case p.accept("!"):
		return &not{p.unary(), column}
	case p.accept("empty"):
		return &emptiness{p.unary()}
	}
	return p.postfix()
}

func (p *parser) postfix() node {
	n := p.primary()
	for p.err == nil {
		switch pos := p.tok.pos; {
		case p.accept("."):
			n = p.member(n)
		case p.accept("["):
			n = &index{n, p.expression(), p.column(pos)}
			p.expect("]", "缺少 “]”", "\"]\" is missing")
		default:
			return n
		}
	}
	return n
}

// member reads what stands after the dot: a member or a method with its arguments.
func (p *parser) member(object node) node {
	t := p.tok
	member := t.text
	switch {
	case t.kind == operator && len(t.text) > 0 && p.wordAt(t.pos) != "":
		member = p.wordAt(t.pos)
	case t.kind != name && t.kind != word:
		p.fail(t.pos, "“.” 后面应为成员名", "a member name is expected after \".\"")
		return nil
	}
	p.next()
	if !p.is("(") {
		return &access{object, member, p.column(t.pos)}
	}
	return p.method(object, member, t.pos)
}

// wordAt gives the reserved word at pos in its own spelling: after a dot, empty or
// mod are plain member names.
func (p *parser) wordAt(pos int) string {
	stop := pos
	for stop < len(p.src) && p.src[stop] >= 'a' && p.src[stop] <= 'z' {
		stop++
	}
	return p.src[pos:stop]
}

func (p *parser) method(object node, member string, pos int) node {
	own := methods[member]
	id, direct := object.(*ident)
	switch {
	case own == nil && !direct:
		p.fail(pos, "没有方法 %s：只能调用已登记对象的方法，或值自带的方法", "no method %s: only registered beans and the methods of values can be called", member)
		return nil
	case own == nil && unicode.IsUpper([]rune(id.name)[0]):
		p.fail(id.pos, "不支持静态调用或类名 %s", "static calls and class names such as %s are not supported", id.name)
		return nil
	}
	args := p.arguments()
	if own != nil && !direct && !own.takes(len(args)+1) {
		p.wrongCount(pos, member, own.least-1, own.most-1)
		return nil
	}
	if direct {
		return &beanCall{id, member, own, args, p.column(pos)}
	}
	return &methodCall{object, own, args, p.column(pos)}
}

func (p *parser) primary() node {
	t := p.tok
	switch {
	case t.kind == name:
		p.next()
		return p.reference(t)
	case t.kind == word && t.text != "instanceof":
		p.next()
		return &literal{map[string]any{"true": true, "false": false}[t.text]}
	case t.kind == quoted:
		p.next()
		return &literal{t.text}
	case t.kind == integer || t.kind == fraction:
		p.next()
		return p.numeral(t)
	case p.accept("("):
		n := p.expression()
		p.expect(")", "缺少 “)”", "\")\" is missing")
		return n
	}
	p.unexpected()
	return nil
}

// reference reads what a name begins: a function, Flowable's var:function, or a variable.
func (p *parser) reference(t token) node {
	id := &ident{t.text, t.pos, p.column(t.pos)}
	if spaces[t.text] && p.followedByCall(t) {
		return p.variableFunction(id)
	}
	if !p.is("(") {
		return id
	}
	f := functions[t.text]
	if f == nil {
		p.fail(t.pos, "没有函数 %s", "no function %s", t.text)
		return nil
	}
	args := p.arguments()
	if !f.takes(len(args)) {
		p.wrongCount(t.pos, t.text, f.least, f.most)
	}
	return &call{f, args, id.column}
}

func (p *parser) wrongCount(pos int, name string, least, most int) {
	count := strconv.Itoa(least)
	if most != least {
		count += "–" + strconv.Itoa(most)
	}
	p.fail(pos, "%s 需要 %s 个参数", "%s takes %s arguments", name, count)
}

func (p *parser) numeral(t token) node {
	if t.kind == integer {
		n, err := strconv.ParseInt(t.text, 10, 64)
		if err != nil {
			p.fail(t.pos, "整数 %s 超出 64 位范围", "the integer %s does not fit 64 bits", t.text)
		}
		return &literal{n}
	}
	d, err := ParseDecimal(t.text)
	if err != nil {
		p.fail(t.pos, "数字 %s 超出范围", "the number %s is out of range", t.text)
	}
	return &literal{d}
}

func (p *parser) arguments() []node {
	open := p.tok.pos
	p.next()
	var args []node
	for p.err == nil && !p.is(")") {
		if len(args) == maxArgs {
			p.fail(p.tok.pos, "参数最多 %d 个", "at most %d arguments are allowed", maxArgs)
		}
		args = append(args, p.expression())
		switch {
		case p.is(")"):
		case p.accept(","):
			if p.is(")") {
				p.unexpected()
			}
		case p.tok.kind == end:
			p.fail(open, "缺少 “)”", "\")\" is missing")
		default:
			p.unexpected()
		}
	}
	p.next()
	return args
}

func (p *parser) is(symbol string) bool { return p.tok.kind == operator && p.tok.text == symbol }

func (p *parser) accept(symbol string) bool {
	if !p.is(symbol) {
		return false
	}
	p.next()
	return true
}

func (p *parser) expect(symbol, zh, en string) {
	if !p.accept(symbol) {
		if p.tok.kind == end || p.is("}") {
			p.refuse(p.tok.pos, zh, en)
		}
		p.unexpected()
	}
}

// unexpected refuses the current token, by what it would be in the full language.
func (p *parser) unexpected() {
	t := p.tok
	switch {
	case t.kind == end:
		p.fail(t.pos, "表达式不完整", "the expression is incomplete")
	case t.text == "=" || t.text == ";" || t.text == "+=":
		p.fail(t.pos, "不支持赋值或 “%s”；判断相等请写 ==", "assignment and %q are not supported; write == to compare", t.text)
	case t.text == "->":
		p.fail(t.pos, "不支持 lambda 表达式", "lambda expressions are not supported")
	case t.text == "instanceof":
		p.fail(t.pos, "不支持 instanceof", "instanceof is not supported")
	case t.text == "::":
		p.fail(t.pos, "不支持方法引用", "method references are not supported")
	case t.kind == operator && (t.text == "{" || t.text == "["):
		p.fail(t.pos, "不支持集合字面量；列表请写 list('a','b')", "collection literals are not supported; write list('a','b')")
	default:
		p.fail(t.pos, "此处不应出现 “%s”", "%q is not expected here", t.text)
	}
}

func (p *parser) enter() bool {
	if p.depth++; p.depth > 2*maxDepth {
		p.fail(p.tok.pos, "表达式嵌套超过 %d 层", "nested deeper than %d", maxDepth)
	}
	return p.err == nil
}

func (p *parser) leave() { p.depth-- }
