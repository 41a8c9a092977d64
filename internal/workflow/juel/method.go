package juel

import "strings"

// method is a method of values: a function whose first argument is the value. It
// spells what process files written for Java use; nothing is looked up by reflection.
type method struct{ function }

// methods by name. On null each answers null.
var methods = map[string]*method{
	// all
	"equals":   own(1, func(r *run, a []any) (any, error) { return r.alike(a[0], a[1]) }),
	"toString": own(0, functions["string"].apply),
	// text
	"equalsIgnoreCase": own(1, textual(func(s []string) any { return strings.EqualFold(s[0], s[1]) })),
	"startsWith":       own(1, functions["startsWith"].apply),
	"endsWith":         own(1, functions["endsWith"].apply),
	"toLowerCase":      own(0, functions["lower"].apply),
	"toUpperCase":      own(0, functions["upper"].apply),
	"trim":             own(0, functions["trim"].apply),
	"replace":          own(2, functions["replace"].apply),
	"substring":        {function{2, 3, substring}},
	// text, list, object
	"length":      own(0, functions["size"].apply),
	"size":        own(0, functions["size"].apply),
	"isEmpty":     own(0, func(_ *run, a []any) (any, error) { return isEmpty(a[0]), nil }),
	"contains":    own(1, contains),
	"containsKey": own(1, contains),
	"indexOf":     own(1, indexOf),
	"get":         own(1, func(r *run, a []any) (any, error) { return r.inside(a[0], a[1]) }),
	// number and boolean
	"intValue":     own(0, func(_ *run, a []any) (any, error) { return truncated(a[0]) }),
	"longValue":    own(0, func(_ *run, a []any) (any, error) { return truncated(a[0]) }),
	"doubleValue":  own(0, functions["number"].apply),
	"booleanValue": own(0, func(_ *run, a []any) (any, error) { return toBool(a[0]) }),
	// time
	"toDate":       own(0, functions["date"].apply),
	"plusMinutes":  own(1, plusUnit("TM", 1)),
	"plusHours":    own(1, plusUnit("TH", 1)),
	"plusDays":     own(1, plusUnit("D", 1)),
	"plusWeeks":    own(1, plusUnit("W", 1)),
	"plusMonths":   own(1, plusUnit("M", 1)),
	"plusYears":    own(1, plusUnit("Y", 1)),
	"minusMinutes": own(1, plusUnit("TM", -1)),
	"minusHours":   own(1, plusUnit("TH", -1)),
	"minusDays":    own(1, plusUnit("D", -1)),
	"minusWeeks":   own(1, plusUnit("W", -1)),
	"minusMonths":  own(1, plusUnit("M", -1)),
	"minusYears":   own(1, plusUnit("Y", -1)),
}

// own makes a method with n arguments.
func own(n int, apply func(*run, []any) (any, error)) *method {
	return &method{function{n + 1, n + 1, apply}}
}

// on calls the method of v, which is at column.
func (m *method) on(r *run, v any, args []any, column int) (any, error) {
	if !m.takes(len(args) + 1) {
		return nil, at(column, refuse("方法的参数个数不对", "wrong number of arguments"))
	}
	if v == nil {
		return nil, nil
	}
	result, err := m.apply(r, append([]any{v}, args...))
	return result, at(column, err)
}

// truncated drops the fraction of a number.
func truncated(v any) (any, error) {
	n, err := toNumber(v)
	if err != nil {
		return nil, err
	}
	return floor(n, toDecimal(n).Sign() < 0)
}

// spaces are the prefixes of Flowable's functions on variables.
var spaces = map[string]bool{"var": true, "vars": true, "variables": true}

// variableFunctions take a variable by its name, which need not exist, first.
var variableFunctions = map[string]*function{
	"get":          {1, 1, func(_ *run, a []any) (any, error) { return a[0], nil }},
	"getOrDefault": {2, 2, coalesce},
	"exists":       {1, 1, func(_ *run, a []any) (any, error) { return a[0] != nil, nil }},
	"isEmpty":      {1, 1, func(_ *run, a []any) (any, error) { return isEmpty(a[0]), nil }},
	"isNotEmpty":   {1, 1, func(_ *run, a []any) (any, error) { return !isEmpty(a[0]), nil }},
	"equals":       {2, 2, related(equal)},
	"notEquals":    {2, 2, related(unequal)},
	"lt":           {2, 2, related(less)},
	"lte":          {2, 2, related(atMost)},
	"gt":           {2, 2, related(greater)},
	"gte":          {2, 2, related(atLeast)},
	"contains":     {2, maxArgs, containsAll},
	"containsAny":  {2, maxArgs, containsAny},
}

func related(rel relation) func(*run, []any) (any, error) {
	return func(r *run, args []any) (any, error) { return r.compare(rel, args[0], args[1]) }
}

func containsAll(r *run, args []any) (any, error) {
	for _, wanted := range args[1:] {
		if found, err := contains(r, []any{args[0], wanted}); err != nil || found == false {
			return false, err
		}
	}
	return true, nil
}

func containsAny(r *run, args []any) (any, error) {
	for _, wanted := range args[1:] {
		if found, err := contains(r, []any{args[0], wanted}); err != nil || found == true {
			return found, err
		}
	}
	return false, nil
}

// followedByCall tells var:get(x) from the end of a choice, c ? var : x.
func (p *parser) followedByCall(t token) bool {
	rest, ok := strings.CutPrefix(p.src[t.pos+len(t.text):], ":")
	called := strings.TrimLeftFunc(rest, namePart)
	return ok && called != rest && strings.HasPrefix(called, "(")
}

// variableFunction reads var:name(x, …), the current token being the colon; x may
// be written as a name or as text.
func (p *parser) variableFunction(prefix *ident) node {
	p.next()
	t := p.tok
	called := t.text
	if t.kind == operator { // lt and gt are reserved words
		called = p.wordAt(t.pos)
	}
	p.next()
	f := variableFunctions[called]
	if f == nil {
		p.fail(prefix.pos, "没有函数 %s:%s", "no function %s:%s", prefix.name, called)
		return nil
	}
	args := p.arguments()
	if p.err != nil {
		return nil
	}
	if !f.takes(len(args)) {
		p.wrongCount(prefix.pos, prefix.name+":"+called, f.least, f.most)
		return nil
	}
	switch x := args[0].(type) {
	case *ident:
	case *literal:
		s, ok := x.value.(string)
		if !ok {
			p.fail(t.pos, "第一个参数应为变量名", "the first argument must be the name of a variable")
			return nil
		}
		args[0] = &ident{s, t.pos, p.column(t.pos)}
	default:
		p.fail(t.pos, "第一个参数应为变量名", "the first argument must be the name of a variable")
		return nil
	}
	return &call{f, args, prefix.column}
}
