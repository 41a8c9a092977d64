package store

import (
	"errors"
	"fmt"
	"slices"
)

// ErrMoves is a statement that would hand rows to another tenant.
var ErrMoves = errors.New("store: a change may not assign tenant_id")

// guard is wall 1: every place where a tenant table is named must be bound by its own
// tenant_id, so that no join, sub-select or list of tables reaches into another tenant.
// It reads the text strictly: what it does not understand it refuses.
func (db *DB) guard(q string, r *reading) error {
	tenant := db.tables.Load().tenant
	scoped := slices.DeleteFunc(slices.Clone(r.refs), func(rf ref) bool { return !tenant[rf.table] })
	if loose := r.looseMention(tenant, scoped); loose != "" {
		return fmt.Errorf("%w: %s is named outside FROM, JOIN, INTO, UPDATE in %s", ErrUnscoped, loose, firstLine(q))
	}
	if len(scoped) == 0 {
		return nil
	}
	if r.moves() {
		return fmt.Errorf("%w: %s", ErrMoves, firstLine(q))
	}
	b, err := r.bindings()
	if err != nil {
		return fmt.Errorf("%w: %w in %s", ErrUnscoped, err, firstLine(q))
	}
	for _, rf := range scoped {
		if rf.inserted && r.insertsTenant(rf) || b.take(rf.alias) || b.take("") {
			continue
		}
		return fmt.Errorf("%w: %s in %s", ErrUnscoped, rf.alias, firstLine(q))
	}
	return nil
}

// looseMention finds a tenant table whose name stands where readAt does not look:
// behind a schema, in a list after a join, in a TRUNCATE.
func (r *reading) looseMention(tenant map[string]bool, scoped []ref) string {
	known := map[int]bool{}
	aliases := map[string]bool{"excluded": true}
	for _, rf := range scoped {
		known[rf.at], aliases[rf.alias] = true, true
	}
	for _, rf := range r.refs {
		aliases[rf.alias] = true
	}
	for i, t := range r.tokens {
		switch {
		case t.kind != wordToken || !tenant[t.text] || known[i]:
		case r.is(i+1, ".") && aliases[t.text]: // a qualifier
		case r.is(i-1, ".") && aliases[r.word(i-2)]: // a column of that name
		default:
			return t.text
		}
	}
	return ""
}

// moves reports an assignment to tenant_id in a SET list.
func (r *reading) moves() bool {
	for i := range r.tokens {
		if r.word(i) == "tenant_id" && r.is(i+1, "=") && (r.is(i-1, "set") || r.is(i-1, ",") || r.is(i-1, ".") && r.is(i-3, "set")) {
			return true
		}
	}
	return false
}

// insertsTenant checks that the column list names tenant_id and that the value in its
// place is :tenant, or the tenant_id of a selected row, which is bound for itself.
func (r *reading) insertsTenant(target ref) bool {
	open := target.at + 1
	for open < len(r.tokens) && !r.is(open, "(") {
		open++
	}
	columns, end := r.items(open + 1)
	place := slices.IndexFunc(columns, func(c [2]int) bool { return c[1]-c[0] == 1 && r.word(c[0]) == "tenant_id" })
	if place < 0 {
		return false
	}
	if r.word(end+1) == "select" {
		values, _ := r.items(end + 2)
		return place < len(values) && r.isTenantItem(values[place])
	}
	if r.word(end+1) != "values" {
		return false
	}
	for at := end + 2; r.is(at, "("); {
		values, close := r.items(at + 1)
		if place >= len(values) || !r.isTenantItem(values[place]) {
			return false
		}
		at = close + 1
		if r.is(at, ",") {
			at++
		}
	}
	return true
}

func (r *reading) isTenantItem(item [2]int) bool {
	last := item[1] - 1
	return r.isTenantValue(last) && last == item[0] || r.word(last) == "tenant_id" && (last == item[0] || last == item[0]+2)
}

// items splits a comma list from at to the closing parenthesis or FROM.
func (r *reading) items(at int) (list [][2]int, end int) {
	depth, start := 0, at
	for i := at; i < len(r.tokens); i++ {
		switch {
		case r.is(i, "("):
			depth++
		case depth == 0 && (r.is(i, ")") || r.is(i, "from")):
			return append(list, [2]int{start, i}), i
		case r.is(i, ")"):
			depth--
		case depth == 0 && r.is(i, ","):
			list, start = append(list, [2]int{start, i}), i+1
		}
	}
	return append(list, [2]int{start, len(r.tokens)}), len(r.tokens)
}

// bound counts the bindings of each alias; the empty alias is an unqualified tenant_id.
type bound map[string]int

func (b bound) take(alias string) bool {
	if b[alias] == 0 {
		return false
	}
	b[alias]--
	return true
}

var errAlternative = errors.New("an OR goes past tenant_id")

// bindings finds x.tenant_id = :tenant, its reverse, x.tenant_id IN (…, :tenant) and
// x.tenant_id = y.tenant_id where y is bound.
func (r *reading) bindings() (bound, error) {
	b := bound{}
	var links [][2]string
	for i := range r.tokens {
		if r.word(i) != "tenant_id" {
			continue
		}
		alias, start := "", i
		if r.is(i-1, ".") {
			alias, start = r.word(i-2), i-2
		}
		switch {
		case r.is(i+1, "=") && r.isTenantValue(i+2), r.is(start-1, "=") && r.isTenantValue(start-2), r.inTenants(i + 1):
			b[alias]++
		case r.is(i+1, "=") && r.is(i+3, ".") && r.word(i+4) == "tenant_id" && r.word(i+2) != alias:
			links = append(links, [2]string{alias, r.word(i + 2)})
		default:
			continue
		}
		if r.avoidable(i) {
			return nil, errAlternative
		}
	}
	b.follow(links)
	return b, nil
}

// follow counts a link as a binding of the side that lacks one. Where both lack one, an
// unqualified binding is taken to be of one side; if it was another table's, that one
// will miss it.
func (b bound) follow(links [][2]string) {
	for len(links) > 0 {
		i := slices.IndexFunc(links, func(l [2]string) bool { return l[0] != l[1] && (b[l[0]] > 0 || b[l[1]] > 0) })
		if i < 0 {
			if !b.take("") {
				return
			}
			b[links[0][0]]++
			continue
		}
		l := links[i]
		if b[l[0]] == 0 {
			b[l[0]]++
		} else {
			b[l[1]]++
		}
		links = slices.Delete(links, i, i+1)
	}
}

func (r *reading) inTenants(at int) bool {
	if !r.is(at, "in") || !r.is(at+1, "(") {
		return false
	}
	list, _ := r.items(at + 2)
	found := false
	for _, item := range list {
		if item[1]-item[0] != 1 {
			return false
		}
		found = found || r.isTenantValue(item[0])
	}
	return found
}

// avoidable reports that the condition around the binding at i has an OR whose other
// side does not speak of tenant_id: AND binds closer than OR.
func (r *reading) avoidable(i int) bool {
	from, depth := i, 0
	for ; from > 0; from-- {
		if r.is(from, ")") {
			depth++
		}
		if r.is(from, "(") {
			if depth--; depth < 0 {
				break
			}
		}
		if depth == 0 && clauseEnd[r.word(from)] {
			break
		}
	}
	depth = 0
	spoken, alternatives := false, 1
	for at := from + 1; at < len(r.tokens); at++ {
		switch {
		case r.is(at, "("):
			depth++
		case r.is(at, ")"):
			depth--
		}
		if depth < 0 || depth == 0 && clauseEnd[r.word(at)] {
			break
		}
		if depth == 0 && r.word(at) == "tenant_id" {
			spoken = true
		}
		if depth == 0 && r.word(at) == "or" {
			if !spoken {
				return true
			}
			alternatives, spoken = alternatives+1, false
		}
	}
	return alternatives > 1 && !spoken
}
