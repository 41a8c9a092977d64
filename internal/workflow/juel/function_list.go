package juel

import "strings"

func size(v any) (any, error) {
	switch x := v.(type) {
	case nil:
		return int64(0), nil
	case string:
		return int64(len([]rune(x))), nil
	case []any:
		return int64(len(x)), nil
	case map[string]any:
		return int64(len(x)), nil
	}
	return nil, typed("%s没有长度", "a %s has no size", v)
}

// contains looks for an element in a list, a part in a text, a key in an object.
func contains(r *run, args []any) (any, error) {
	switch x := args[0].(type) {
	case nil:
		return false, nil
	case map[string]any:
		key, err := r.text(args[1])
		_, found := x[key]
		return found, err
	case []any, string:
		i, err := position(r, x, args[1])
		return i >= 0, err
	}
	return nil, typed("%s中不能查找", "a %s cannot be searched", args[0])
}

func indexOf(r *run, args []any) (any, error) {
	if args[0] == nil {
		return int64(-1), nil
	}
	i, err := position(r, args[0], args[1])
	return i, err
}

// position counts characters in a text, elements in a list; -1 is absent.
func position(r *run, in, wanted any) (int64, error) {
	switch x := in.(type) {
	case string:
		s, err := r.text(wanted)
		if i := strings.Index(x, s); i >= 0 && err == nil {
			return int64(len([]rune(x[:i]))), nil
		}
		return -1, err
	case []any:
		for i, e := range x {
			if same, err := r.alike(e, wanted); same || err != nil {
				return int64(i), err
			}
		}
		return -1, nil
	}
	return -1, typed("%s中不能查找", "a %s cannot be searched", in)
}

func toList(v any) ([]any, error) {
	switch x := v.(type) {
	case nil:
		return nil, nil
	case []any:
		return x, nil
	}
	return nil, typed("应为列表，实际为%s", "a list is expected, not a %s", v)
}

func join(r *run, args []any) (any, error) {
	list, err := toList(args[0])
	if err != nil {
		return nil, err
	}
	separator := ","
	if len(args) > 1 {
		if separator, err = r.text(args[1]); err != nil {
			return nil, err
		}
	}
	return glue(r, list, separator)
}

func glue(r *run, list []any, separator string) (any, error) {
	var b strings.Builder
	for i, v := range list {
		if err := r.step(1); err != nil {
			return nil, err
		}
		s, err := r.text(canonical(v))
		if err != nil {
			return nil, err
		}
		if i > 0 {
			b.WriteString(separator)
		}
		if b.WriteString(s); b.Len() > maxString {
			return nil, tooLong()
		}
	}
	return b.String(), nil
}

func split(r *run, args []any) (any, error) {
	s, err := r.text(args[0])
	if err != nil {
		return nil, err
	}
	separator, err := r.text(args[1])
	if err != nil {
		return nil, err
	}
	if separator == "" {
		return nil, refuse("split 的分隔符不能为空", "the separator of split must not be empty")
	}
	if s == "" {
		return []any{}, nil
	}
	if err := r.step(strings.Count(s, separator)); err != nil {
		return nil, err
	}
	return widen(strings.Split(s, separator)), nil
}

// border gives the first or last element; null of an empty list.
func border(v any, last bool) (any, error) {
	list, err := toList(v)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	if last {
		return canonical(list[len(list)-1]), nil
	}
	return canonical(list[0]), nil
}
