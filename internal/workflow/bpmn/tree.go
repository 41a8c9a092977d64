package bpmn

import "strings"

// attr gives a BPMN attribute, trimmed.
func (e *element) attr(name string) string {
	for _, a := range e.attributes {
		if a.vendor == "" && a.name == name {
			return strings.TrimSpace(a.value)
		}
	}
	return ""
}

// vend gives the first vendor attribute, of any vendor, that has one of the
// names; the names are tried in order.
func (e *element) vend(names ...string) string {
	for _, name := range names {
		for _, a := range e.attributes {
			if a.vendor != "" && a.name == name {
				return strings.TrimSpace(a.value)
			}
		}
	}
	return ""
}

// flag reads a vendor boolean.
func (e *element) flag(otherwise bool, names ...string) bool {
	return boolean(e.vend(names...), otherwise)
}

func boolean(text string, otherwise bool) bool {
	switch strings.ToLower(text) {
	case "true", "1":
		return true
	case "false", "0":
		return false
	}
	return otherwise
}

// child gives the first BPMN child of the name, or nil.
func (e *element) child(name string) *element {
	for _, c := range e.children {
		if c.vendor == "" && c.name == name {
			return c
		}
	}
	return nil
}

// all gives the BPMN children of the name.
func (e *element) all(name string) []*element {
	var list []*element
	for _, c := range e.children {
		if c.vendor == "" && c.name == name {
			list = append(list, c)
		}
	}
	return list
}

// textOf gives the trimmed text of a BPMN child, "" without one.
func (e *element) textOf(name string) string {
	if c := e.child(name); c != nil {
		return strings.TrimSpace(c.text)
	}
	return ""
}

// extensions gives the vendor elements of extensionElements, all without names.
func (e *element) extensions(names ...string) []*element {
	var list []*element
	for _, holder := range e.all("extensionElements") {
		list = append(list, holder.vendors(names...)...)
	}
	return list
}

// vendors gives the vendor children that have one of the names, all without names.
func (e *element) vendors(names ...string) []*element {
	var list []*element
	for _, c := range e.children {
		if c.vendor == "" {
			continue
		}
		wanted := len(names) == 0
		for _, n := range names {
			wanted = wanted || n == c.name
		}
		if wanted {
			list = append(list, c)
		}
	}
	return list
}

// extension gives the first vendor element of the name, or nil.
func (e *element) extension(name string) *element {
	if list := e.extensions(name); len(list) > 0 {
		return list[0]
	}
	return nil
}

// local strips the namespace prefix of a QName reference; ids hold no colon.
func local(ref string) string { return ref[strings.LastIndexByte(ref, ':')+1:] }

// list splits a comma list, leaving commas inside ${…} and quotes alone.
func list(text string) []string {
	var parts []string
	depth, quote, from := 0, rune(0), 0
	add := func(part string) {
		if part = strings.TrimSpace(part); part != "" {
			parts = append(parts, part)
		}
	}
	for i, c := range text {
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case depth > 0 && (c == '\'' || c == '"'):
			quote = c
		case c == '{' || c == '(':
			depth++
		case (c == '}' || c == ')') && depth > 0:
			depth--
		case c == ',' && depth == 0:
			add(text[from:i])
			from = i + 1
		}
	}
	add(text[from:])
	return parts
}
