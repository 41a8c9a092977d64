package juel

import (
	"cmp"
	"strings"
	"time"
)

type relation int

const (
	equal relation = iota
	unequal
	less
	greater
	atMost
	atLeast
)

var relations = map[string]relation{"==": equal, "!=": unequal, "<": less, ">": greater, "<=": atMost, ">=": atLeast}

// compare is EL §1.9.
func (r *run) compare(rel relation, a, b any) (bool, error) {
	if rel == equal || rel == unequal {
		same, err := r.equal(known(a), known(b))
		return same == (rel == equal), err
	}
	for _, v := range [2]any{a, b} {
		if id, unknown := v.(*ident); unknown {
			return false, id.unknown()
		}
	}
	if a == nil || b == nil {
		return a == nil && b == nil && (rel == atMost || rel == atLeast), nil
	}
	c, err := r.order(a, b)
	switch rel {
	case less:
		return c < 0, err
	case greater:
		return c > 0, err
	case atMost:
		return c <= 0, err
	}
	return c >= 0, err
}

func isTime(v any) bool { _, ok := v.(time.Time); return ok }

func isString(v any) bool { _, ok := v.(string); return ok }

// order compares two values that are not null: times, numbers, texts, booleans, in
// this order of preference; the other side is converted.
func (r *run) order(a, b any) (int, error) {
	switch {
	case isTime(a) || isTime(b):
		return r.orderTimes(a, b)
	case isNumber(a) || isNumber(b):
		return orderNumbers(a, b)
	case isString(a) || isString(b):
		x, err := r.text(a)
		if err != nil {
			return 0, err
		}
		y, err := r.text(b)
		return strings.Compare(x, y), err
	}
	x, isBool := a.(bool)
	y, alsoBool := b.(bool)
	if isBool && alsoBool {
		return rank(x) - rank(y), nil
	}
	if isBool {
		a = b
	}
	return 0, typed("%s不能比较大小", "a %s has no order", a)
}

func rank(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (r *run) orderTimes(a, b any) (int, error) {
	x, err := r.toTime(a)
	if err != nil {
		return 0, err
	}
	y, err := r.toTime(b)
	return x.Compare(y), err
}

func orderNumbers(a, b any) (int, error) {
	x, err := toNumber(a)
	if err != nil {
		return 0, err
	}
	y, err := toNumber(b)
	if err != nil {
		return 0, err
	}
	i, whole := x.(int64)
	if j, alsoWhole := y.(int64); whole && alsoWhole {
		return cmp.Compare(i, j), nil
	}
	return toDecimal(x).Cmp(toDecimal(y)), nil
}

// equal is ==: null equals only null; beside a time, number or boolean the other
// side is converted; lists and objects are equal by content.
func (r *run) equal(a, b any) (bool, error) {
	if a == nil || b == nil {
		return a == nil && b == nil, nil
	}
	if x, ok := a.(string); ok {
		if y, ok := b.(string); ok {
			return x == y, nil
		}
	}
	switch {
	case isTime(a) || isTime(b):
		if a == "" || b == "" {
			return false, nil
		}
		c, err := r.orderTimes(a, b)
		return c == 0, err
	case isNumber(a) || isNumber(b):
		c, err := orderNumbers(a, b)
		return c == 0, err
	}
	if x, ok := a.(bool); ok {
		return equalBool(x, b)
	}
	if y, ok := b.(bool); ok {
		return equalBool(y, a)
	}
	switch x := a.(type) {
	case []any:
		y, ok := b.([]any)
		return r.equalLists(x, y, ok)
	case map[string]any:
		y, ok := b.(map[string]any)
		return r.equalMaps(x, y, ok)
	}
	return false, nil
}

// equalBool: a text that is neither true nor false equals no boolean.
func equalBool(b bool, v any) (bool, error) {
	if s, ok := v.(string); ok {
		value, isTruth := truth(s)
		return (isTruth || s == "") && value == b, nil
	}
	value, err := toBool(v)
	return value == b, err
}

func (r *run) equalLists(x, y []any, ok bool) (bool, error) {
	if !ok || len(x) != len(y) {
		return false, nil
	}
	for i := range x {
		if same, err := r.alike(x[i], y[i]); !same || err != nil {
			return false, err
		}
	}
	return true, nil
}

func (r *run) equalMaps(x, y map[string]any, ok bool) (bool, error) {
	if !ok || len(x) != len(y) {
		return false, nil
	}
	if err := r.step(len(x)); err != nil {
		return false, err
	}
	for _, k := range sortedKeys(x) { // in order, so that the step limit falls alike each time
		other, ok := y[k]
		if !ok {
			return false, nil
		}
		if same, err := r.alike(x[k], other); !same || err != nil {
			return false, err
		}
	}
	return true, nil
}

// alike is equal for elements: values that cannot be compared are different.
func (r *run) alike(a, b any) (bool, error) {
	if err := r.step(1); err != nil {
		return false, err
	}
	same, err := r.equal(canonical(a), canonical(b))
	if err != nil && r.steps <= maxSteps {
		return false, nil
	}
	return same, err
}
