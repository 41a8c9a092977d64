package arch

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// source is one parsed Go file of the repository.
type source struct {
	path  string // from the root, with slashes
	pkg   string // directory from the root
	lines int
	file  *ast.File
	fset  *token.FileSet
}

func (s source) test() bool { return strings.HasSuffix(s.path, "_test.go") }

func sources(t *testing.T) []source {
	t.Helper()
	root := "../.."
	var list []source
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if e.IsDir() && (e.Name() == "node_modules" || e.Name() == "dist" || strings.HasPrefix(e.Name(), ".") && path != root) {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(path, ".go") {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, path, text, parser.ParseComments)
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(root, path)
		rel = filepath.ToSlash(rel)
		list = append(list, source{path: rel, pkg: filepath.ToSlash(filepath.Dir(rel)), lines: strings.Count(string(text), "\n"), file: file, fset: fset})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func (s source) imports() []string {
	var names []string
	for _, i := range s.file.Imports {
		names = append(names, strings.Trim(i.Path.Value, `"`))
	}
	return names
}
