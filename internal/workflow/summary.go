package workflow

import "encoding/json"

// fieldsWithoutSetting is how many fields stand for an instance whose model names none.
const fieldsWithoutSetting = 3

// summary picks the fields of the form that stand for an instance in lists: those of the
// model's setting, else the first ones. What may hides is left out.
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
		if reserved(name) || may[name] == fieldHidden {
			continue
		}
		title := titles[name]
		if title == "" {
			title = name
		}
		list = append(list, SummaryItem{Key: title, Value: shortText(vars[name])})
	}
	return list
}

// fieldTitles reads the names and labels of the fields of the form, in their order.
func (p *plan) fieldTitles() (titles map[string]string, order []string) {
	titles = map[string]string{}
	for _, text := range p.definition.FormFields.V {
		var item struct{ Field, Title any }
		if json.Unmarshal([]byte(text), &item) != nil {
			continue
		}
		name, _ := item.Field.(string)
		if name == "" {
			continue
		}
		titles[name], _ = item.Title.(string)
		order = append(order, name)
	}
	return titles, order
}
