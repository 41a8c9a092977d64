package store

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"viva/internal/kernel/actor"
)

// constSQL is unexported on purpose: only untyped constants convert to it.
type constSQL string

// Args are the named values of a statement.
type Args map[string]any

// Errors of the walls; they are programming errors or attacks, never user input.
var (
	ErrNoTenant   = errors.New("store: no tenant in the context")
	ErrUnscoped   = errors.New("store: statement on a tenant table is not bound to :tenant")
	ErrNotInWrite = errors.New("store: change outside a Write")
	ErrReadOnly   = errors.New("store: the database was opened for reading")
	ErrUnaudited  = errors.New("store: rows of an audited table change through package table only")
)

// statement is a compiled text: literal parts between the names.
type statement struct {
	parts   []string
	names   []string
	changes bool
	targets []string // tables whose rows change
	refused error
	simple  string // positional text when no list is bound
	hot     hot
}

const maxStatements = 4000

func (db *DB) compile(q constSQL) *statement {
	cache := db.statements.Load()
	if st, ok := cache.Load(q); ok {
		return st.(*statement)
	}
	st := parse(string(q), db.dialect)
	r := read(string(q))
	st.changes, st.targets = r.changes, r.targets
	st.refused = db.guard(string(q), r)
	if db.cached.Add(1) > maxStatements { // only a runaway builder comes here
		db.cached.Store(1)
		cache = &sync.Map{}
		db.statements.Store(cache)
	}
	cache.Store(q, st)
	return st
}

// Texts lists the statements used so far, in the engine's own form, for the test that
// explains them.
func (db *DB) Texts() []string {
	var texts []string
	db.statements.Load().Range(func(_, st any) bool {
		texts = append(texts, st.(*statement).simple)
		return true
	})
	return texts
}

// parse splits at :name outside quotes and casts, and adapts LIKE and FOR UPDATE.
func parse(q string, d Dialect) *statement {
	q = comment.ReplaceAllStringFunc(q, func(s string) string {
		if s[0] == '\'' {
			return s
		}
		return " "
	})
	if d == Postgres {
		q = likeWord.ReplaceAllString(q, " ILIKE ")
	} else {
		q = forUpdate.ReplaceAllString(q, "")
	}
	st := &statement{}
	start, quoted := 0, false
	for i := 0; i < len(q); i++ {
		switch {
		case q[i] == '\'':
			quoted = !quoted
		case q[i] == ':' && !quoted && i+1 < len(q) && q[i+1] == ':':
			i++
		case q[i] == ':' && !quoted && i+1 < len(q) && isName(q[i+1]):
			end := i + 1
			for end < len(q) && isName(q[end]) {
				end++
			}
			st.parts = append(st.parts, q[start:i])
			st.names = append(st.names, q[i+1:end])
			start, i = end, end-1
		}
	}
	st.parts = append(st.parts, q[start:])
	var text strings.Builder
	for i, part := range st.parts {
		text.WriteString(part)
		if i < len(st.names) {
			placeholder(&text, d, i+1)
		}
	}
	st.simple = text.String()
	return st
}

func isName(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

func placeholder(text *strings.Builder, d Dialect, n int) {
	if d == Postgres {
		text.WriteByte('$')
		text.WriteString(strconv.Itoa(n))
		return
	}
	text.WriteByte('?')
}

var (
	likeWord  = regexp.MustCompile(`(?i)\sLIKE\s`)
	comment   = regexp.MustCompile(`'[^']*'|--[^\n]*|(?s:/\*.*?\*/)`)
	forUpdate = regexp.MustCompile(`(?i)\sFOR UPDATE(\s+SKIP LOCKED)?`)
)

func firstLine(q string) string {
	q = strings.Join(strings.Fields(q), " ")
	return q[:min(len(q), 120)]
}

type acrossKey struct{}
type tableKey struct{}

// AcrossTenants lets statements of fn's context reach every tenant. The reason is
// a constant; all uses stand in a golden file reviewed with each change.
func AcrossTenants(ctx context.Context, reason constSQL) context.Context {
	return context.WithValue(ctx, acrossKey{}, string(reason))
}

// AcrossReason gives the reason of AcrossTenants, empty inside one tenant.
func AcrossReason(ctx context.Context) string {
	reason, _ := ctx.Value(acrossKey{}).(string)
	return reason
}

// ByTable marks ctx as coming from package table, which audits; nobody else calls it
// (checked by the architecture test).
func ByTable(ctx context.Context) context.Context { return context.WithValue(ctx, tableKey{}, true) }

// Generated admits SQL text made at start-up by packages crud and table, out of
// names checked against the struct; nobody else calls it (architecture test).
func Generated(text string) constSQL { return constSQL(text) }

func (db *DB) bind(ctx context.Context, q constSQL, args Args) (string, []any, *statement, error) {
	st := db.compile(q)
	if st.refused != nil && AcrossReason(ctx) == "" {
		return "", nil, st, st.refused
	}
	if st.changes && ctx.Value(tableKey{}) == nil && db.changesAudited(st) {
		return "", nil, st, fmt.Errorf("%w: %s", ErrUnaudited, firstLine(string(q)))
	}
	values := make([]any, 0, len(st.names))
	lists := false
	for _, name := range st.names {
		v, ok := args[name]
		if name == "tenant" {
			var err error
			if v, err = tenantValue(ctx, v, ok); err != nil {
				return "", nil, st, fmt.Errorf("%w: %s", err, firstLine(string(q)))
			}
			ok = true
		}
		if !ok {
			return "", nil, st, fmt.Errorf("store: no value for :%s in %s", name, firstLine(string(q)))
		}
		lists = lists || isList(v)
		values = append(values, v)
	}
	if !lists {
		return st.simple, values, st, nil
	}
	text, values := expand(st, values, db.dialect)
	return text, values, st, nil
}

// tenantValue is what :tenant stands for. A caller may give it only to say the actor's
// own tenant, 0 included, unless it works across tenants.
func tenantValue(ctx context.Context, given any, ok bool) (any, error) {
	own := actor.From(ctx).TenantID
	switch {
	case !ok && own == 0:
		return nil, ErrNoTenant
	case !ok:
		return own, nil
	case AcrossReason(ctx) == "" && fmt.Sprint(given) != fmt.Sprint(own):
		return nil, ErrUnscoped
	}
	return given, nil
}

func (db *DB) changesAudited(st *statement) bool {
	tables := db.tables.Load()
	return slices.ContainsFunc(st.targets, func(table string) bool { return tables.audited[table] })
}

func isList(v any) bool {
	switch v.(type) {
	case []int64, []string, []int:
		return true
	}
	return false
}

func expand(st *statement, values []any, d Dialect) (string, []any) {
	var text strings.Builder
	var flat []any
	for i, part := range st.parts {
		text.WriteString(part)
		if i >= len(values) {
			continue
		}
		if !isList(values[i]) {
			flat = append(flat, values[i])
			placeholder(&text, d, len(flat))
			continue
		}
		list := reflect.ValueOf(values[i])
		if list.Len() == 0 {
			text.WriteString("NULL")
		}
		for j := range list.Len() {
			if j > 0 {
				text.WriteByte(',')
			}
			flat = append(flat, list.Index(j).Interface())
			placeholder(&text, d, len(flat))
		}
	}
	return text.String(), flat
}
