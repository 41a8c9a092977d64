package engine

import (
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// The variables of an instance are read and written in nearly every command, so
// the plain cases of JSON are handled here; whatever is unusual goes through
// encoding/json. FuzzCodec compares the two.

const maxNesting = 1000

var errJSON = errors.New("variables are not valid JSON")

// reading is a JSON text being read.
type reading struct {
	text  string
	at    int
	depth int
}

func (p *reading) space() {
	for p.at < len(p.text) {
		switch p.text[p.at] {
		case ' ', '\t', '\n', '\r':
			p.at++
		default:
			return
		}
	}
}

func (p *reading) take(c byte) bool {
	p.space()
	if p.at < len(p.text) && p.text[p.at] == c {
		p.at++
		return true
	}
	return false
}

func (p *reading) word(w string) bool {
	if strings.HasPrefix(p.text[p.at:], w) {
		p.at += len(w)
		return true
	}
	return false
}

func (p *reading) value() (any, error) {
	p.space()
	if p.at == len(p.text) {
		return nil, errJSON
	}
	switch c := p.text[p.at]; {
	case c == '"':
		return p.str()
	case c == '{':
		return p.object()
	case c == '[':
		return p.list()
	case c == '-' || c >= '0' && c <= '9':
		return p.number()
	case p.word("true"):
		return true, nil
	case p.word("false"):
		return false, nil
	case p.word("null"):
		return nil, nil
	}
	return nil, errJSON
}

func (p *reading) object() (any, error) {
	p.at++
	if p.depth++; p.depth > maxNesting {
		return nil, errJSON
	}
	m := map[string]any{}
	for first := true; !p.take('}'); first = false {
		if !first && !p.take(',') {
			return nil, errJSON
		}
		p.space()
		if p.at == len(p.text) || p.text[p.at] != '"' {
			return nil, errJSON
		}
		name, err := p.str()
		if err != nil {
			return nil, err
		}
		if !p.take(':') {
			return nil, errJSON
		}
		if m[name], err = p.value(); err != nil {
			return nil, err
		}
	}
	p.depth--
	return m, nil
}

func (p *reading) list() (any, error) {
	p.at++
	if p.depth++; p.depth > maxNesting {
		return nil, errJSON
	}
	list := []any{}
	for first := true; !p.take(']'); first = false {
		if !first && !p.take(',') {
			return nil, errJSON
		}
		v, err := p.value()
		if err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	p.depth--
	return list, nil
}

func (p *reading) str() (string, error) {
	start := p.at
	for p.at++; p.at < len(p.text); p.at++ {
		switch c := p.text[p.at]; {
		case c == '"':
			p.at++
			s := p.text[start+1 : p.at-1]
			if utf8.ValidString(s) {
				return s, nil
			}
			return p.unquote(start)
		case c < ' ':
			return "", errJSON
		case c == '\\':
			for p.at < len(p.text) && p.text[p.at] != '"' {
				if p.text[p.at] == '\\' {
					p.at++
				}
				p.at++
			}
			if p.at >= len(p.text) {
				return "", errJSON
			}
			p.at++
			return p.unquote(start)
		}
	}
	return "", errJSON
}

func (p *reading) unquote(start int) (s string, err error) {
	err = json.Unmarshal([]byte(p.text[start:p.at]), &s)
	return s, err
}

func (p *reading) number() (any, error) {
	start := p.at
	for p.at < len(p.text) && strings.IndexByte("+-.eE0123456789", p.text[p.at]) >= 0 {
		p.at++
	}
	word := p.text[start:p.at]
	digits := strings.TrimPrefix(word, "-")
	if n, err := strconv.ParseInt(word, 10, 64); err == nil && digits[0] != '+' && (digits[0] != '0' || word == "0") {
		return n, nil
	}
	if !json.Valid([]byte(word)) {
		return nil, errJSON
	}
	return json.Number(word), nil
}

// appendValue writes a value, the members of a map by name. It answers false for
// a value that encoding/json has to write.
func appendValue(b []byte, v any) ([]byte, bool) {
	switch x := v.(type) {
	case nil:
		return append(b, "null"...), true
	case bool:
		return strconv.AppendBool(b, x), true
	case int64:
		return strconv.AppendInt(b, x, 10), true
	case int:
		return strconv.AppendInt(b, int64(x), 10), true
	case json.Number:
		return append(b, x...), json.Valid([]byte(x))
	case string:
		return appendText(b, x)
	case []any:
		return appendList(b, x)
	case map[string]any:
		return appendObject(b, x)
	}
	return b, false
}

func appendList(b []byte, list []any) ([]byte, bool) {
	if list == nil {
		return append(b, "null"...), true
	}
	ok := true
	b = append(b, '[')
	for i, v := range list {
		if i > 0 {
			b = append(b, ',')
		}
		if b, ok = appendValue(b, v); !ok {
			return b, false
		}
	}
	return append(b, ']'), true
}

func appendObject(b []byte, m map[string]any) ([]byte, bool) {
	if m == nil {
		return append(b, "null"...), true
	}
	names := make([]string, 0, 8)
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	ok := true
	b = append(b, '{')
	for i, name := range names {
		if i > 0 {
			b = append(b, ',')
		}
		if b, ok = appendText(b, name); !ok {
			return b, false
		}
		b = append(b, ':')
		if b, ok = appendValue(b, m[name]); !ok {
			return b, false
		}
	}
	return append(b, '}'), true
}

func appendText(b []byte, s string) ([]byte, bool) {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c == '"' || c == '\\' || c == 0x7f {
			return b, false
		}
	}
	if !utf8.ValidString(s) || strings.ContainsAny(s, "\u2028\u2029") {
		return b, false
	}
	return append(append(append(b, '"'), s...), '"'), true
}
