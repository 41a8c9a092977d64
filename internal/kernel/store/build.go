package store

import (
	"context"
	"strings"
)

// Query is a constant statement that grows by constant clauses under conditions.
type Query struct {
	text string
	args Args
}

// Build starts a query; args may be nil.
func Build(base constSQL, args Args) *Query {
	if args == nil {
		args = Args{}
	}
	return &Query{text: string(base), args: args}
}

// If appends a clause (with its leading AND) and a value when cond holds; an empty
// name binds nothing.
func (q *Query) If(cond bool, clause constSQL, name string, value any) *Query {
	if cond {
		q.text += string(clause)
		if name != "" {
			q.args[name] = value
		}
	}
	return q
}

// Add appends a clause always.
func (q *Query) Add(clause constSQL) *Query { q.text += string(clause); return q }

// SQL is the statement so far, for Select, Get and Each.
func (q *Query) SQL() constSQL { return constSQL(q.text) }

// Args are the values so far.
func (q *Query) Args() Args { return q.args }

// Contains makes a LIKE pattern that finds text anywhere; the clause needs ESCAPE '\'.
func Contains(text string) string {
	return "%" + strings.NewReplacer(`\`, `\\`, "%", `\%`, "_", `\_`).Replace(text) + "%"
}

// MaxTotal caps the total of a page: counting further costs more than it tells.
const MaxTotal = 10000

// Page is one page of a list. Total is exact up to MaxTotal; Capped says there are more.
type Page[T any] struct {
	List   []T   `json:"list"`
	Total  int64 `json:"total"`
	Capped bool  `json:"totalCapped,omitempty"`
}

// Paging is the page number (from 1) and size (1-500) of a list call.
type Paging struct {
	PageNo   int `query:"pageNo" default:"1" minimum:"1" maximum:"1000000" doc:"页码"`
	PageSize int `query:"pageSize" default:"20" minimum:"1" maximum:"500" doc:"每页条数"`
}

// SelectPage runs a list query (FROM … WHERE … in from, without ORDER BY) as a page:
// columns are selected and ordered by the constants given.
func SelectPage[T any](ctx context.Context, columns constSQL, from *Query, order constSQL, p Paging) (Page[T], error) {
	page := Page[T]{List: []T{}}
	size, no := p.PageSize, p.PageNo
	if size <= 0 {
		size = 20
	}
	if no <= 0 {
		no = 1
	}
	counted := constSQL("SELECT COUNT(*) FROM (SELECT 1 AS one " + from.text + " LIMIT :max_total) counted")
	from.args["max_total"] = MaxTotal + 1
	total, err := From(ctx).total(ctx, counted, from.args)
	if err != nil {
		return page, err
	}
	page.Total, page.Capped = min(total, MaxTotal), total > MaxTotal
	if total <= int64((no-1)*size) && !page.Capped {
		return page, nil
	}
	from.args["page_size"], from.args["page_offset"] = size, (no-1)*size
	page.List, err = Select[T](ctx, constSQL("SELECT "+string(columns)+" "+from.text+" ORDER BY "+string(order)+" LIMIT :page_size OFFSET :page_offset"), from.args)
	return page, err
}
