package juel

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

type kind int

const (
	end      kind = iota // end of the source, and after an error
	name                 // identifier
	word                 // reserved word that is no operator: true false null instanceof
	operator             // punctuation; word operators in their symbol form
	integer
	fraction
	quoted
)

// token is one lexical element; pos is its byte offset.
type token struct {
	kind kind
	text string
	pos  int
}

// words are the reserved words of EL §1.17, with the symbol of those that are operators.
var words = map[string]string{
	"and": "&&", "or": "||", "not": "!", "eq": "==", "ne": "!=", "lt": "<", "gt": ">",
	"le": "<=", "ge": ">=", "div": "/", "mod": "%", "empty": "empty",
	"true": "", "false": "", "null": "", "instanceof": "",
}

// symbols in the order they are tried: longer ones first. Those that the subset
// refuses are listed too, so that the parser can say what they are.
var symbols = []string{
	"->", "::", "+=", "==", "!=", "<=", ">=", "&&", "||",
	"+", "-", "*", "/", "%", "<", ">", "!", "?", ":", ".", ",", "(", ")", "[", "]", "{", "}", "=", ";",
}

// next reads the token after the current one.
func (p *parser) next() {
	if p.err != nil {
		return
	}
	p.skipSpace()
	start := p.pos
	if start >= len(p.src) {
		p.tok = token{end, "", start}
		return
	}
	r, size := utf8.DecodeRuneInString(p.src[start:])
	switch {
	case nameStart(r):
		p.pos += size
		for p.pos < len(p.src) {
			r, size = utf8.DecodeRuneInString(p.src[p.pos:])
			if !namePart(r) {
				break
			}
			p.pos += size
		}
		p.tok = p.named(start)
	case digit(p.src, start) || r == '.' && digit(p.src, start+1):
		p.tok = p.number(start)
	case r == '\'' || r == '"':
		p.tok = p.quotation(start, p.src[start])
	default:
		p.tok = p.symbol(start, r)
	}
}

func (p *parser) skipSpace() {
	for p.pos < len(p.src) && strings.IndexByte(" \t\r\n\f", p.src[p.pos]) >= 0 {
		p.pos++
	}
}

func (p *parser) named(start int) token {
	text := p.src[start:p.pos]
	symbol, reserved := words[text]
	switch {
	case symbol != "":
		return token{operator, symbol, start}
	case reserved:
		return token{word, text, start}
	}
	return token{name, text, start}
}

func (p *parser) symbol(start int, r rune) token {
	for _, s := range symbols {
		if strings.HasPrefix(p.src[start:], s) {
			p.pos += len(s)
			return token{operator, s, start}
		}
	}
	switch {
	case r == '&' || r == '|':
		p.fail(start, "请写 %c%c，XML 中也可写 and、or", "write %c%c; in XML and, or will do as well", r, r)
	case r > unicode.MaxASCII && (unicode.IsPunct(r) || unicode.IsSymbol(r)):
		p.fail(start, "“%c”是全角或特殊符号，请改用英文半角符号", "%q is not an ASCII symbol; use the ASCII one", r)
	default:
		p.fail(start, "不认识的字符 %q", "unexpected character %q", r)
	}
	return p.tok
}

func (p *parser) number(start int) token {
	p.digits()
	kind := integer
	if p.pos < len(p.src) && p.src[p.pos] == '.' {
		kind = fraction
		p.pos++
		p.digits()
	}
	if p.pos < len(p.src) && (p.src[p.pos] == 'e' || p.src[p.pos] == 'E') {
		exponent := p.pos + 1
		if exponent < len(p.src) && (p.src[exponent] == '+' || p.src[exponent] == '-') {
			exponent++
		}
		if digit(p.src, exponent) {
			kind = fraction
			p.pos = exponent
			p.digits()
		}
	}
	return token{kind, p.src[start:p.pos], start}
}

func (p *parser) digits() {
	for digit(p.src, p.pos) {
		p.pos++
	}
}

func (p *parser) quotation(start int, quote byte) token {
	var b strings.Builder
	for i := start + 1; i < len(p.src); i++ {
		switch c := p.src[i]; {
		case c == quote:
			p.pos = i + 1
			return token{quoted, b.String(), start}
		case c != '\\':
			b.WriteByte(c)
		case i+1 < len(p.src) && strings.IndexByte(`\'"`, p.src[i+1]) >= 0:
			i++
			b.WriteByte(p.src[i])
		default:
			p.fail(i, "字符串中的反斜杠只能写作 \\\\、\\' 或 \\\"", "in a string a backslash is only allowed as \\\\, \\' or \\\"")
			return p.tok
		}
	}
	p.fail(start, "字符串缺少结尾的引号", "the string has no closing quote")
	return p.tok
}

func digit(s string, i int) bool { return i < len(s) && s[i] >= '0' && s[i] <= '9' }

func nameStart(r rune) bool { return r == '_' || r == '$' || unicode.IsLetter(r) }

func namePart(r rune) bool { return nameStart(r) || unicode.IsDigit(r) }
