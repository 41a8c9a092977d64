package app

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/constant"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"viva/internal/kernel/kerneltest"
	"viva/internal/kernel/store"
)

const (
	storePath = "viva/internal/kernel/store"
	viewType  = "viva/internal/kernel/crud.View"
)

// sqlPart is a constant that becomes SQL: a whole statement, or a part of one.
type sqlPart struct {
	at   string // where it stands
	text string
	more string // the order of a page, the joins of a view
}

// sqlParts are the constants of one package.
type sqlParts struct {
	whole, bases, clauses, pages, views []sqlPart
}

// TestStatements has both engines prepare every SQL constant of the program against the
// migrated schema, so that what only one of them understands fails here even when no
// other test runs it. What goes to Select, Exec and the like is prepared as it stands.
// What Build, If, Add and SelectPage put together, and the views of crud, are tried in all
// combinations of their package; t, the alias that crud gives, is tried as each table. One
// combination must be good on both engines.
//
// It does not see: statements that crud and table derive (their own tests run them on
// both engines), what the store says to an engine by itself, and the raw statements of
// the backup and transfer, each for one engine only. It does not ask the tenant wall.
func TestStatements(t *testing.T) {
	var engines []*store.DB
	for _, db := range []*store.DB{kerneltest.Open(t), kerneltest.OpenPostgres(t)} {
		if err := open(t, db).Migrate(context.Background()); err != nil {
			t.Fatal(err)
		}
		engines = append(engines, db)
	}
	p := &preparer{engines: engines, known: map[string]error{}, tables: tablesOf(t, engines[0])}
	if p.prepare("SELECT json_extract(content, '$') FROM system_seed") == nil || p.prepare("SELECT scope FROM system_seed WHERE scope = ANY(:list)") == nil {
		t.Fatal("a statement of one engine passes")
	}
	whole, parts := 0, 0
	packages := sqlConstants(t)
	for _, path := range slices.Sorted(maps.Keys(packages)) {
		c := packages[path]
		for _, s := range c.whole {
			whole++
			if err := p.prepare(s.text); err != nil {
				t.Errorf("%s: %v\n%s", s.at, err, s.text)
			}
		}
		parts += len(c.bases) + len(c.clauses) + len(c.pages) + len(c.views)
		for _, bad := range p.unusable(c) {
			t.Error(bad)
		}
	}
	t.Logf("%d statements, %d parts", whole, parts)
	if whole < 250 || parts < 80 {
		t.Errorf("only %d statements and %d parts found", whole, parts)
	}
}

func tablesOf(t *testing.T, db *store.DB) []string {
	t.Helper()
	names, err := store.Select[string](store.Use(context.Background(), db), `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`, nil)
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// preparer asks both engines and remembers what they said.
type preparer struct {
	engines []*store.DB
	tables  []string
	known   map[string]error
}

func (p *preparer) prepare(text string) error {
	err, ok := p.known[text]
	if !ok {
		for _, db := range p.engines {
			if e := db.Prepare(context.Background(), store.Generated(text)); e != nil {
				err = errors.Join(err, fmt.Errorf("%s: %w", db.Dialect(), e))
			}
		}
		p.known[text] = err
	}
	return err
}

// unusable names the parts that no combination makes a statement of.
func (p *preparer) unusable(c *sqlParts) (bad []string) {
	var starts []string
	for _, b := range c.bases {
		starts = append(starts, started(b.text))
	}
	ends := []string{""}
	for _, s := range slices.Concat(c.clauses, c.bases) {
		ends = append(ends, " "+s.text)
	}
	complain := func(s sqlPart, tried error) {
		bad = append(bad, fmt.Sprintf("%s: both engines understand no combination with\n%s\nthe plainest one: %v", s.at, s.text, tried))
	}
	for i, b := range c.bases {
		if !p.some(starts[i:i+1], []string{""}, ends) {
			complain(b, p.prepare(starts[i]))
		}
	}
	behind := slices.Clone(starts)
	for _, v := range c.views {
		over := p.overTables("SELECT 1 AS one"+v.text, v.more)
		if !p.some(over, ends[:1], ends[:1]) {
			complain(v, p.prepare(over[0]))
		}
		behind = append(behind, over...)
	}
	behind = append(behind, p.overTables("SELECT 1 AS one", "")...)
	for _, s := range c.clauses {
		if !p.some(behind, []string{" " + s.text}, ends[:1]) && !p.some(starts, []string{" " + s.text}, ends) {
			complain(s, p.prepare(behind[0]+" "+s.text))
		}
	}
	for _, s := range c.pages {
		var with []string
		for _, b := range c.bases {
			with = append(with, "SELECT "+s.text+" "+b.text)
		}
		if !p.some(with, ends, []string{" ORDER BY " + s.more + " LIMIT :page_size OFFSET :page_offset"}) {
			complain(s, p.prepare(strings.Join(with[:min(1, len(with))], "")))
		}
	}
	return bad
}

// overTables gives a query of each table as t.
func (p *preparer) overTables(columns, joins string) (list []string) {
	for _, table := range p.tables {
		list = append(list, columns+" FROM "+table+" t"+joins+" WHERE 1 = 1")
	}
	return list
}

// some reports whether a combination of one text of each list is understood.
func (p *preparer) some(first, second, third []string) bool {
	for _, c := range third {
		for _, b := range second {
			for _, a := range first {
				if p.prepare(a+b+c) == nil {
					return true
				}
			}
		}
	}
	return false
}

// started makes a query of a base that may lack its columns.
func started(base string) string {
	if strings.HasPrefix(strings.TrimSpace(base), "FROM") {
		return "SELECT 1 AS one " + base
	}
	return base
}

// listed is what go list says of a package.
type listed struct {
	ImportPath, Dir, Export string
	GoFiles                 []string
}

// sqlConstants finds, by types, the constants that become SQL outside package store.
func sqlConstants(t *testing.T) map[string]*sqlParts {
	t.Helper()
	cmd := exec.Command("go", "list", "-export", "-deps", "-json=ImportPath,Dir,Export,GoFiles", "./internal/...", "./cmd/...")
	cmd.Dir, cmd.Stderr = "../..", os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	exports := map[string]string{}
	var ours []listed
	for d := json.NewDecoder(bytes.NewReader(out)); d.More(); {
		var l listed
		if err := d.Decode(&l); err != nil {
			t.Fatal(err)
		}
		exports[l.ImportPath] = l.Export
		if strings.HasPrefix(l.ImportPath, "viva/") && l.ImportPath != storePath {
			ours = append(ours, l)
		}
	}
	fset := token.NewFileSet()
	compiled := importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })
	found := map[string]*sqlParts{}
	for _, l := range ours {
		found[l.ImportPath] = l.constants(t, fset, compiled)
	}
	return found
}

func (l listed) constants(t *testing.T, fset *token.FileSet, compiled types.Importer) *sqlParts {
	t.Helper()
	var files []*ast.File
	for _, name := range l.GoFiles {
		file, err := parser.ParseFile(fset, filepath.Join(l.Dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}}
	if _, err := (&types.Config{Importer: compiled}).Check(l.ImportPath, fset, files, info); err != nil {
		t.Fatal(err)
	}
	c := &sqlParts{}
	for _, file := range files {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				c.add(t, fset, info, n)
			case *ast.CompositeLit:
				c.addView(fset, info, n)
			}
			return true
		})
	}
	return c
}

// add sorts the SQL constants of one call by what the function does with them.
func (c *sqlParts) add(t *testing.T, fset *token.FileSet, info *types.Info, call *ast.CallExpr) {
	var texts []string
	for _, arg := range call.Args {
		if v := info.Types[arg]; v.Type != nil && v.Type.String() == storePath+".constSQL" && v.Value != nil {
			texts = append(texts, constant.StringVal(v.Value))
		}
	}
	if len(texts) == 0 {
		return
	}
	s := sqlPart{at: place(fset, call), text: texts[0]}
	switch name := called(info, call.Fun); name {
	case "Select", "Get", "One", "Each", "Exec", "Later", "Read":
		c.whole = append(c.whole, s)
	case "Build":
		c.bases = append(c.bases, s)
	case "If", "Add":
		c.clauses = append(c.clauses, s)
	case "SelectPage":
		s.more = texts[len(texts)-1]
		c.pages = append(c.pages, s)
	case "AcrossTenants": // a reason, no SQL
	default:
		t.Errorf("%s: what does %s do with SQL?", s.at, name)
	}
}

// addView keeps the columns and joins of a crud.View.
func (c *sqlParts) addView(fset *token.FileSet, info *types.Info, lit *ast.CompositeLit) {
	if v := info.Types[lit]; v.Type == nil || v.Type.String() != viewType {
		return
	}
	s := sqlPart{at: place(fset, lit)}
	for _, e := range lit.Elts {
		member := e.(*ast.KeyValueExpr)
		if v := info.Types[member.Value]; v.Value != nil && member.Key.(*ast.Ident).Name == "Columns" {
			s.text = constant.StringVal(v.Value)
		} else if v.Value != nil {
			s.more = constant.StringVal(v.Value)
		}
	}
	c.views = append(c.views, s)
}

func place(fset *token.FileSet, n ast.Node) string {
	p := fset.Position(n.Pos())
	return fmt.Sprintf("%s/%s:%d", filepath.Base(filepath.Dir(p.Filename)), filepath.Base(p.Filename), p.Line)
}

// called is the name of the function or method of a call.
func called(info *types.Info, fun ast.Expr) string {
	switch f := fun.(type) {
	case *ast.IndexExpr:
		return called(info, f.X)
	case *ast.IndexListExpr:
		return called(info, f.X)
	case *ast.SelectorExpr:
		return f.Sel.Name
	case *ast.Ident:
		return f.Name
	}
	return ""
}
