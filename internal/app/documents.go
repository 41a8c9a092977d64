package app

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
)

// Documents renders the generated files by their path in the source tree: they are
// committed, and a test compares them with what the code says.
func (a *App) Documents() (map[string][]byte, error) {
	openapi, err := indented(a.Web.API.OpenAPI())
	if err != nil {
		return nil, err
	}
	entities, err := indented(a.Web.Entities)
	if err != nil {
		return nil, err
	}
	return map[string][]byte{
		"docs/openapi.json":                     openapi,
		"docs/calls.md":                         a.callList(),
		"web/src/kernel/crud/entities.gen.json": entities,
	}, nil
}

// WriteDocuments writes the generated files below root.
func (a *App) WriteDocuments(root string) error {
	files, err := a.Documents()
	if err != nil {
		return err
	}
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(root, name), content, 0o644); err != nil {
			return err
		}
	}
	return nil
}

func indented(v any) ([]byte, error) {
	raw, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	if err := json.Indent(&out, raw, "", " "); err != nil {
		return nil, err
	}
	out.WriteByte('\n')
	return out.Bytes(), nil
}

func (a *App) callList() []byte {
	var out bytes.Buffer
	out.WriteString("# Calls\n\nGenerated from the code by `make gen`. All paths live under `/admin-api`.\n")
	byModule := map[string][]string{}
	for _, c := range a.Web.Calls() {
		line := fmt.Sprintf("| %s | `%s` | %s | %s |\n", c.Method, c.Path, strings.ReplaceAll(c.Access.String(), "|", `\|`), c.Summary)
		byModule[c.Module] = append(byModule[c.Module], line)
	}
	names := make([]string, 0, len(byModule))
	for name := range byModule {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		fmt.Fprintf(&out, "\n## %s (%d)\n\n| method | path | who | what |\n|---|---|---|---|\n", name, len(byModule[name]))
		for _, line := range byModule[name] {
			out.WriteString(line)
		}
	}
	return out.Bytes()
}
