package store

import "strings"

// token is a word in lower case, a :name, or one character of punctuation.
type token struct {
	text string
	kind byte
}

const (
	wordToken  = 'w'
	nameToken  = 'n'
	otherToken = 'o'
)

// lex drops literals and comments, so that their content proves nothing.
func lex(q string) []token {
	var out []token
	for i := 0; i < len(q); {
		c := q[i]
		switch {
		case c == '\'':
			i++
			for i < len(q) && q[i] != '\'' {
				i++
			}
			i++
			out = append(out, token{"''", otherToken})
		case strings.HasPrefix(q[i:], "--"):
			i = skipPast(q, i, "\n")
		case strings.HasPrefix(q[i:], "/*"):
			i = skipPast(q, i, "*/")
		case strings.HasPrefix(q[i:], "::"):
			i += 2
		case c == '"' || c == ' ' || c == '\n' || c == '\t' || c == '\r':
			i++
		case isName(c) || c == ':' && i+1 < len(q) && isName(q[i+1]):
			end := i + 1
			for end < len(q) && isName(q[end]) {
				end++
			}
			out = append(out, wordOrName(q[i:end]))
			i = end
		default:
			out = append(out, token{q[i : i+1], otherToken})
			i++
		}
	}
	return out
}

func skipPast(q string, from int, end string) int {
	if i := strings.Index(q[from:], end); i >= 0 {
		return from + i + len(end)
	}
	return len(q)
}

func wordOrName(text string) token {
	switch {
	case text[0] == ':':
		return token{text[1:], nameToken}
	case text[0] >= '0' && text[0] <= '9':
		return token{text, otherToken}
	}
	return token{strings.ToLower(text), wordToken}
}

// ref is one place where a table is read or changed.
type ref struct {
	table, alias string
	at           int  // of the table's name
	inserted     bool // the target of an INSERT
}

// reading is what wall 1 understands of a statement.
type reading struct {
	tokens  []token
	refs    []ref
	targets []string // tables whose rows change
	changes bool
}

var (
	notAlias = map[string]bool{"where": true, "set": true, "on": true, "join": true, "left": true, "right": true, "full": true, "inner": true,
		"outer": true, "natural": true, "order": true, "group": true, "limit": true, "values": true, "default": true, "union": true, "cross": true,
		"for": true, "select": true, "using": true, "returning": true, "having": true, "window": true, "except": true, "intersect": true,
		"offset": true, "indexed": true, "not": true}
	readsOnly = map[string]bool{"select": true, "with": true, "values": true, "explain": true, "pragma": true, "show": true}
	// clauseEnd bounds the condition around a binding.
	clauseEnd = map[string]bool{"where": true, "on": true, "set": true, "group": true, "order": true, "limit": true, "union": true, "having": true,
		"returning": true, "join": true, "left": true, "inner": true, "cross": true, "select": true, "from": true, "for": true, "window": true,
		"except": true, "intersect": true, "offset": true}
)

func read(q string) *reading {
	r := &reading{tokens: lex(q)}
	for i := range r.tokens {
		r.readAt(i)
	}
	r.changes = len(r.targets) > 0 || len(r.tokens) > 0 && !readsOnly[r.word(0)] && r.tokens[0].text != "("
	return r
}

func (r *reading) word(i int) string {
	if i >= 0 && i < len(r.tokens) && r.tokens[i].kind == wordToken {
		return r.tokens[i].text
	}
	return ""
}

func (r *reading) is(i int, text string) bool {
	return i >= 0 && i < len(r.tokens) && r.tokens[i].text == text && r.tokens[i].kind != nameToken
}

func (r *reading) isTenantValue(i int) bool {
	return i >= 0 && i < len(r.tokens) && r.tokens[i] == token{"tenant", nameToken}
}

func (r *reading) readAt(i int) {
	change := false
	switch r.word(i) {
	case "from":
		change = r.word(i-1) == "delete"
	case "into":
		change = true
	case "update":
		if r.word(i-1) == "for" || r.word(i-1) == "do" || r.word(i-1) == "key" {
			return
		}
		change = true
	case "join", "using":
	default:
		return
	}
	keyword := r.word(i)
	for at := i + 1; ; {
		next, ok := r.readRef(at, keyword == "into")
		if !ok {
			return
		}
		if change {
			r.targets = append(r.targets, r.refs[len(r.refs)-1].table)
		}
		if keyword != "from" || !r.is(next, ",") {
			return
		}
		at = next + 1
	}
}

func (r *reading) readRef(at int, inserted bool) (next int, ok bool) {
	name := r.word(at)
	if name == "" || notAlias[name] {
		return at, false
	}
	if r.is(at+1, ".") && r.word(at+2) != "" { // behind a schema
		at += 2
		name = r.word(at)
	}
	rf := ref{table: name, alias: name, at: at, inserted: inserted}
	next = at + 1
	if r.is(next, "as") {
		next++
	}
	if alias := r.word(next); alias != "" && !notAlias[alias] {
		rf.alias = alias
		next++
	}
	r.refs = append(r.refs, rf)
	return next, true
}
