package bpmn

// form reads the form of a user task or start event, nil without one: the
// fields of formData, and those of formProperty, which Activiti and Flowable use.
func (c *compiler) form(e *element) *Form {
	f := &Form{Key: c.expression("formKey", e.vend("formKey")), Ref: e.vend("formRef"),
		RefBinding: Binding(orElse(e.vend("formRefBinding"), string(BindLatest))), RefVersion: e.vend("formRefVersion")}
	for _, data := range e.extensions("formData") {
		f.BusinessKey = data.attr("businessKey")
		for _, x := range data.vendors("formField") {
			f.Fields = append(f.Fields, c.formField(x))
		}
	}
	for _, x := range e.extensions("formProperty") {
		f.Fields = append(f.Fields, c.formProperty(x))
	}
	seen := map[string]bool{}
	for _, field := range f.Fields {
		if field.ID == "" || seen[field.ID] {
			c.fail("form-field", "表单字段没有 ID 或 ID 重复："+quoted(field.ID), "a form field has no id or one that is taken: "+quoted(field.ID))
		}
		seen[field.ID] = true
	}
	if !f.Key.Present() && f.Ref == "" && f.Fields == nil && f.BusinessKey == "" {
		return nil
	}
	return f
}

func (c *compiler) formField(x *element) FormField {
	f := FormField{ID: x.attr("id"), Label: x.attr("label"), Type: x.attr("type"), DatePattern: x.attr("datePattern"),
		Default: c.expression("defaultValue", x.attr("defaultValue")), Readable: true, Writable: true,
		Values: choices(x), Properties: propertyList(x.vendors("properties"))}
	for _, v := range x.vendors("validation") {
		for _, k := range v.vendors("constraint") {
			f.Constraints = append(f.Constraints, Property{Name: k.attr("name"), Value: k.attr("config")})
			switch k.attr("name") {
			case "required":
				f.Required = boolean(k.attr("config"), true)
			case "readonly":
				f.Writable = !boolean(k.attr("config"), true)
			}
		}
	}
	return f
}

func (c *compiler) formProperty(x *element) FormField {
	return FormField{ID: x.attr("id"), Label: x.attr("name"), Type: x.attr("type"), Variable: x.attr("variable"),
		Expression: c.expression("formProperty", x.attr("expression")), Default: c.expression("default", x.attr("default")),
		DatePattern: x.attr("datePattern"), Required: boolean(x.attr("required"), false),
		Readable: boolean(x.attr("readable"), true), Writable: boolean(x.attr("writable"), true), Values: choices(x)}
}

func choices(x *element) []Property {
	var list []Property
	for _, v := range x.vendors("value") {
		list = append(list, Property{ID: v.attr("id"), Name: v.attr("name")})
	}
	return list
}
