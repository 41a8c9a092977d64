package workflow

import "strings"

// fieldsWithoutSetting is how many fields stand for an instance whose model names none.
const fieldsWithoutSetting = 3

// summary picks the fields of the form that stand for an instance in lists: those of the
// model's setting, else the first ones. A field of rows may be named by itself or by its
// way, trips.city. What may hides is left out, with all that lies in it.
func (p *plan) summary(vars map[string]any, may map[string]int) []SummaryItem {
	titles, order := p.fieldTitles()
	set := p.settings().SummarySetting
	fields := order
	if set != nil && set.Enable {
		fields = set.Summary
	} else if len(fields) > fieldsWithoutSetting {
		fields = fields[:fieldsWithoutSetting]
	}
	list := []SummaryItem{}
	for _, name := range fields {
		name = p.fieldWay(name)
		if outer, _, _ := strings.Cut(name, "."); reserved(outer) || may[outer] == fieldHidden || may[name] == fieldHidden {
			continue
		}
		title := titles[name]
		if title == "" {
			title = name
		}
		list = append(list, SummaryItem{Key: title, Value: shortText(valueOf(vars, name))})
	}
	return list
}

// fieldTitles reads the names and labels of the fields of the form; order has those that
// are no part of another.
func (p *plan) fieldTitles() (titles map[string]string, order []string) {
	titles = map[string]string{}
	for _, f := range p.fields {
		titles[f.name] = f.title
		if !strings.Contains(f.name, ".") {
			order = append(order, f.name)
		}
	}
	return titles, order
}

// fieldWay gives the way to a field that was named by its last part only.
func (p *plan) fieldWay(name string) string {
	way := name
	for _, f := range p.fields {
		if f.name == name {
			return name
		}
		if way == name && strings.HasSuffix(f.name, "."+name) {
			way = f.name
		}
	}
	return way
}
