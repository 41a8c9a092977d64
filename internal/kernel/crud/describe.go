package crud

import (
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"viva/internal/kernel/field"
)

// Description is what the web page of the entity is made of.
type Description struct {
	Title      string         `json:"title"`
	TitleEn    string         `json:"titleEn"`
	Path       string         `json:"path"`
	Permission string         `json:"permission"`
	Calls      []string       `json:"calls"`
	Versioned  bool           `json:"versioned"`
	Fields     []*field.Field `json:"fields"`
}

func (r *Resource[T]) describe() Description {
	d := Description{Title: r.spec.title, TitleEn: r.spec.titleEn, Path: "/" + r.m.Name + "/" + r.spec.name, Permission: r.spec.permission, Versioned: true}
	for call, short := range map[string]string{"page": "page", "get": "get", "create": "create", "update": "update", "delete": "delete", "export-excel": "export"} {
		if !r.spec.without[call] {
			d.Calls = append(d.Calls, short)
		}
	}
	if r.spec.simple != nil {
		d.Calls = append(d.Calls, "simple")
	}
	if r.spec.importing {
		d.Calls = append(d.Calls, "import")
	}
	slices.Sort(d.Calls)
	for _, f := range r.fields {
		if f.Label != "" || f.Name == "id" {
			d.Fields = append(d.Fields, f)
		}
	}
	return d
}

// schema is the JSON schema of the entity, of its inputs or of its answers.
func (r *Resource[T]) schema(input bool) *huma.Schema {
	s := &huma.Schema{Type: "object", Properties: map[string]*huma.Schema{}}
	if input {
		s.Properties["id"] = &huma.Schema{Type: "integer", Format: "int64", Description: "only for update"}
		s.Properties["version"] = &huma.Schema{Type: "integer", Description: "only for update: the version that was read"}
	}
	for _, f := range r.fields {
		if input && f.Input || !input && f.Output {
			s.Properties[f.Name] = f.Schema()
			if input && f.Required || !input {
				s.Required = append(s.Required, f.Name)
			}
		}
	}
	slices.Sort(s.Required)
	return s
}

func (r *Resource[T]) schemaOf(names []string) *huma.Schema {
	s := &huma.Schema{Type: "object", Properties: map[string]*huma.Schema{}, Required: names}
	for _, f := range r.fields {
		if slices.Contains(names, f.Name) {
			s.Properties[f.Name] = f.Schema()
		}
	}
	return s
}

func pageOf(item *huma.Schema) *huma.Schema {
	return &huma.Schema{Type: "object", Required: []string{"list", "total"}, Properties: map[string]*huma.Schema{
		"list": {Type: "array", Items: item}, "total": {Type: "integer"}, "totalCapped": {Type: "boolean", Description: "true when there are more rows than counted"},
	}}
}

func (r *Resource[T]) params(paged bool) []*huma.Param {
	var list []*huma.Param
	if paged {
		one, max := 1.0, 500.0
		list = append(list,
			&huma.Param{Name: "pageNo", In: "query", Schema: &huma.Schema{Type: "integer", Minimum: &one}},
			&huma.Param{Name: "pageSize", In: "query", Schema: &huma.Schema{Type: "integer", Minimum: &one, Maximum: &max}})
	}
	explode := true
	for _, f := range r.fields {
		switch f.Filter {
		case "":
		case "range":
			list = append(list, &huma.Param{Name: f.Name, In: "query", Explode: &explode, Schema: &huma.Schema{Type: "array", Items: &huma.Schema{Type: "string"}}})
		default:
			list = append(list, &huma.Param{Name: f.Name, In: "query", Schema: &huma.Schema{Type: "string"}})
		}
	}
	return list
}
