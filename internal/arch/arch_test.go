package arch

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"os"
	"slices"
	"sort"
	"strings"
	"testing"
)

// ranks: a package imports only packages of a lower rank (or its own module).
var ranks = map[string]int{
	"kernel": 0, "identity": 1, "system": 2, "infra": 2, "ops": 2, "workflow": 3, "pay": 3,
	"product": 4, "promotion": 4, "academic": 4, "mp": 4, "trade": 5, "thesis": 5, "app": 6, "arch": 9,
}

func moduleOf(path string) string {
	rest, ok := strings.CutPrefix(path, "viva/internal/")
	if !ok {
		return ""
	}
	name, _, _ := strings.Cut(rest, "/")
	return name
}

func TestRanks(t *testing.T) {
	for _, s := range sources(t) {
		own := moduleOf("viva/" + s.pkg)
		if own == "" {
			continue
		}
		rank, known := ranks[own]
		if !known {
			t.Errorf("%s: module %s has no rank", s.path, own)
		}
		for _, name := range s.imports() {
			other := moduleOf(name)
			if other == "" || other == own || s.test() && other == "kernel" {
				continue
			}
			if ranks[other] >= rank {
				t.Errorf("%s (rank %d) imports %s (rank %d)", s.path, rank, other, ranks[other])
			}
		}
	}
}

// doors are packages that only the named places may import or use.
var doors = map[string][]string{
	"encoding/xml":            {"internal/workflow/bpmn"},
	"database/sql":            {"internal/kernel/store", "internal/kernel/kerneltest", "internal/kernel/job", "internal/kernel/event", "internal/ops", "bench"},
	"github.com/jmoiron/sqlx": {"internal/kernel/store"},
	"math/rand":               {},
	"unsafe":                  {},
	"os/exec":                 {"internal/ops", "internal/kernel/kerneltest", "bench"},
}

func TestDoors(t *testing.T) {
	for _, s := range sources(t) {
		if s.test() {
			continue
		}
		for _, name := range s.imports() {
			if places, guarded := doors[name]; guarded && !within(s.pkg, places) {
				t.Errorf("%s imports %s, which belongs to %v", s.path, name, places)
			}
		}
	}
}

func within(pkg string, places []string) bool {
	for _, p := range places {
		if pkg == p || strings.HasPrefix(pkg, p+"/") {
			return true
		}
	}
	return false
}

// reserved functions of other packages and who may call them.
var reserved = map[string][]string{
	"store.Generated": {"internal/kernel/crud", "internal/kernel/table", "internal/kernel/store"},
	"store.ByTable":   {"internal/kernel/table", "internal/kernel/store"},
	"time.Now": {"internal/kernel/clock", "internal/kernel/web", "internal/kernel/kerneltest", "bench", "cmd",
		"internal/kernel/job", "internal/kernel/password", "internal/kernel/xlsx", "internal/kernel/blob"}, // leases and time-outs run on the real clock
}

// servers may use net/http beyond the names of methods: to serve, or, in one place, to call.
var servers = []string{"internal/kernel/outbound", "internal/kernel/web", "internal/kernel/kerneltest", "cmd", "bench"}

func TestReservedFunctions(t *testing.T) {
	for _, s := range sources(t) {
		if s.test() {
			continue
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			sel, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			if x, ok := sel.X.(*ast.Ident); ok {
				if x.Name == "http" && !strings.HasPrefix(sel.Sel.Name, "Method") && !within(s.pkg, servers) {
					t.Errorf("%s uses http.%s: calls are declared through kernel/web", s.fset.Position(sel.Pos()), sel.Sel.Name)
				}
				name := x.Name + "." + sel.Sel.Name
				if places, guarded := reserved[name]; guarded && !within(s.pkg, places) {
					t.Errorf("%s uses %s, which belongs to %v", s.fset.Position(sel.Pos()), name, places)
				}
			}
			return true
		})
	}
}

// TestAcrossTenants keeps the list of statements that leave the tenant under review:
// each use stands in across.golden with its reason.
func TestAcrossTenants(t *testing.T) {
	var found []string
	for _, s := range sources(t) {
		if s.test() {
			continue
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) != 2 {
				return true
			}
			sel, ok := call.Fun.(*ast.SelectorExpr)
			if !ok || sel.Sel.Name != "AcrossTenants" {
				return true
			}
			reason, ok := call.Args[1].(*ast.BasicLit)
			if !ok {
				t.Errorf("%s: the reason is not a literal", s.fset.Position(call.Pos()))
				return true
			}
			found = append(found, s.pkg+" "+reason.Value)
			return true
		})
	}
	golden(t, "across.golden", found)
}

func golden(t *testing.T, name string, found []string) {
	t.Helper()
	sort.Strings(found)
	text := strings.Join(slices.Compact(found), "\n") + "\n"
	if os.Getenv("VIVA_UPDATE_GOLDEN") != "" {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil || string(want) != text {
		t.Errorf("%s differs; review it and run make golden\n--- now\n%s--- reviewed\n%s", name, text, want)
	}
}

// Budgets: the hard limits of the design.
const (
	maxFunction = 100
	maxFile     = 600
	maxParams   = 5
)

func TestBudgets(t *testing.T) {
	for _, s := range sources(t) {
		if !s.test() && s.lines > maxFile {
			t.Errorf("%s has %d lines (limit %d)", s.path, s.lines, maxFile)
		}
		for _, d := range s.file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Body == nil {
				continue
			}
			lines := s.fset.Position(f.End()).Line - s.fset.Position(f.Pos()).Line + 1
			if lines > maxFunction && !s.test() {
				t.Errorf("%s: %s has %d lines (limit %d)", s.path, f.Name.Name, lines, maxFunction)
			}
			if n := params(f.Type.Params); n > maxParams && !s.test() {
				t.Errorf("%s: %s has %d parameters (limit %d)", s.path, f.Name.Name, n, maxParams)
			}
		}
	}
	crud := 0
	for _, s := range sources(t) {
		if s.pkg == "internal/kernel/crud" && !s.test() {
			crud += s.lines
		}
	}
	if crud > 1100 {
		t.Errorf("kernel/crud has %d lines: a new option needs three entities that want it", crud)
	}
}

func params(list *ast.FieldList) int {
	n := 0
	for _, p := range list.List {
		if sel, ok := p.Type.(*ast.SelectorExpr); ok && sel.Sel.Name == "Context" {
			continue
		}
		n += max(1, len(p.Names))
	}
	return n
}

func TestNames(t *testing.T) {
	bad := []string{"util", "utils", "common", "helper", "helpers", "manager", "impl", "misc", "base"}
	for _, s := range sources(t) {
		if slices.Contains(bad, s.file.Name.Name) {
			t.Errorf("%s: package name %s says nothing", s.path, s.file.Name.Name)
		}
		name := s.path[strings.LastIndex(s.path, "/")+1:]
		for _, b := range bad {
			if name == b+".go" {
				t.Errorf("%s: file name says nothing", s.path)
			}
		}
	}
}

// TestComments wants a comment on every package and on 95 % of exported names.
func TestComments(t *testing.T) {
	packages := map[string]bool{}
	exported, described := 0, 0
	var missing []string
	for _, s := range sources(t) {
		if s.test() {
			continue
		}
		packages[s.pkg] = packages[s.pkg] || s.file.Doc != nil
		for _, d := range s.file.Decls {
			for name, doc := range declared(d) {
				exported++
				if doc {
					described++
				} else {
					missing = append(missing, s.path+": "+name)
				}
			}
		}
	}
	for pkg, ok := range packages {
		if !ok {
			t.Errorf("package %s has no comment", pkg)
		}
	}
	if described*100 < exported*95 {
		sort.Strings(missing)
		t.Errorf("%d of %d exported names have a comment; missing:\n%s", described, exported, strings.Join(missing, "\n"))
	}
}

func declared(d ast.Decl) map[string]bool {
	names := map[string]bool{}
	switch x := d.(type) {
	case *ast.FuncDecl:
		if x.Name.IsExported() && (x.Recv == nil || receiverExported(x.Recv)) {
			names[x.Name.Name] = x.Doc != nil
		}
	case *ast.GenDecl:
		for _, spec := range x.Specs {
			switch y := spec.(type) {
			case *ast.TypeSpec:
				if y.Name.IsExported() {
					names[y.Name.Name] = x.Doc != nil || y.Doc != nil
				}
			case *ast.ValueSpec:
				for _, n := range y.Names {
					if n.IsExported() {
						names[n.Name] = x.Doc != nil || y.Doc != nil || y.Comment != nil
					}
				}
			}
		}
	}
	return names
}

func receiverExported(list *ast.FieldList) bool {
	return strings.ContainsAny(strings.TrimLeft(fmt.Sprint(typeName(list.List[0].Type)), "*"), "ABCDEFGHIJKLMNOPQRSTUVWXYZ") &&
		ast.IsExported(typeName(list.List[0].Type))
}

func typeName(e ast.Expr) string {
	switch x := e.(type) {
	case *ast.StarExpr:
		return typeName(x.X)
	case *ast.IndexExpr:
		return typeName(x.X)
	case *ast.Ident:
		return x.Name
	}
	return ""
}

// TestNoTraces keeps machine paths and registry hosts out of the repository.
func TestNoTraces(t *testing.T) {
	for _, name := range []string{"../../web/package-lock.json", "../../web/.npmrc", "../../web/tools/package-lock.json", "../../e2e/package-lock.json"} {
		text, err := os.ReadFile(name)
		if err != nil {
			continue
		}
		if strings.Contains(string(text), "\"resolved\"") || strings.Contains(string(text), "registry=") {
			t.Errorf("%s names a registry host", name)
		}
	}
}

// TestDependencies wants a reason for each direct dependency.
func TestDependencies(t *testing.T) {
	doc, err := os.ReadFile("../../docs/dependencies.md")
	if err != nil {
		t.Fatal(err)
	}
	mod, err := os.ReadFile("../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	names := 0
	for _, line := range strings.Split(string(mod), "\n") {
		words := strings.Fields(line)
		if len(words) == 2 && strings.Contains(words[0], ".") {
			if names++; !strings.Contains(string(doc), words[0]) {
				t.Errorf("docs/dependencies.md gives no reason for %s", words[0])
			}
		}
	}
	for _, file := range []string{"../../web/package.json", "../../web/tools/package.json", "../../e2e/package.json"} {
		var manifest struct{ Dependencies, DevDependencies map[string]string }
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(text, &manifest); err != nil {
			t.Fatal(err)
		}
		for _, list := range []map[string]string{manifest.Dependencies, manifest.DevDependencies} {
			for name, version := range list {
				if names++; !strings.Contains(string(doc), name) {
					t.Errorf("docs/dependencies.md gives no reason for %s (%s)", name, file)
				}
				if strings.ContainsAny(version, "^~*><") {
					t.Errorf("%s: %s is not pinned exactly", file, name)
				}
			}
		}
	}
	if names < 20 {
		t.Errorf("only %d dependencies found", names)
	}
}
