package bpmn

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
)

// The project's own models: what each vendor's tools write.
func TestModels(t *testing.T) {
	for _, c := range []struct {
		name, process string
		vendor        Vendor
		nodes, flows  int
		problems      []string // severity code element
	}{
		{"camunda_purchase", "equipment_purchase", Camunda, 12, 11, nil},
		{"activiti_leave", "leave", Activiti, 11, 11, nil},
		{"flowable_archive", "thesis_archive", Flowable, 12, 9, nil},
		{"signavio_drawn", "sid-7b11", "", 4, 2, []string{"error not-executable sid-7b11", "error unsupported sid-03", "error no-implementation sid-04"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			data, err := os.ReadFile(filepath.Join("testdata/models", c.name+".bpmn"))
			if err != nil {
				t.Fatal(err)
			}
			doc := decode(t, string(data))
			var found []string
			for _, p := range doc.Problems {
				found = append(found, fmt.Sprintf("%s %s %s", p.Severity, p.Code, p.ElementID))
			}
			slices.Sort(found)
			slices.Sort(c.problems)
			if !slices.Equal(found, c.problems) {
				t.Errorf("problems %q", found)
			}
			p, ok := doc.Process(c.process)
			if !ok || doc.Vendor != c.vendor || len(p.Nodes) != c.nodes || len(p.Flows) != c.flows {
				t.Fatalf("vendor %q, %d nodes, %d flows", doc.Vendor, len(p.Nodes), len(p.Flows))
			}
			consistent(t, doc)
		})
	}
}

// The reference files of the interchange working group are read, and what they
// hold beyond release 1 is refused by element.
func TestCorpus(t *testing.T) {
	folder := os.Getenv("VIVA_BPMN_CORPUS")
	if folder == "" {
		t.Skip("VIVA_BPMN_CORPUS names no folder of .bpmn files")
	}
	files, err := filepath.Glob(filepath.Join(folder, "*.bpmn"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no .bpmn files in %s: %v", folder, err)
	}
	deployable := 0
	for _, name := range files {
		t.Run(filepath.Base(name), func(t *testing.T) {
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			doc, err := Decode(data)
			if err != nil {
				t.Fatal(err)
			}
			again, _ := Decode(data)
			if !reflect.DeepEqual(doc, again) {
				t.Error("two decodings differ")
			}
			consistent(t, doc)
			problems := Check(doc, func(UseKind, string) bool { return true })
			for _, p := range problems {
				if p.ElementType == "" || p.Zh == "" || p.En == "" || p.At.Line == 0 {
					t.Errorf("incomplete problem %+v", p)
				}
				if p.ElementID == "" && p.Code != "missing-id" && p.ElementType != "import" {
					t.Errorf("problem without element id: %+v", p)
				}
				if p.Code == "malformed" || p.Code == "unknown-element" || p.Code == "duplicate-id" {
					t.Errorf("a reference file is misread: %+v", p)
				}
			}
			if Deployable(problems) {
				deployable++
			}
			t.Logf("%d processes, %d problems, deployable %v", len(doc.Processes), len(problems), Deployable(problems))
		})
	}
	t.Logf("%d of %d files may be deployed", deployable, len(files))
}

// consistent checks what every reader of the graph relies on.
func consistent(t testing.TB, doc *Document) {
	t.Helper()
	for _, p := range doc.Processes {
		if err := inconsistency(p); err != nil {
			t.Errorf("process %s: %v", p.ID, err)
		}
	}
}

func inconsistency(p *Process) error {
	for i, f := range p.Flows {
		from, to := &p.Nodes[f.Source], &p.Nodes[f.Target]
		if f.Index != i || !slices.Contains(from.Outgoing, i) || !slices.Contains(to.Incoming, i) || from.Parent != to.Parent || from.Parent != f.Parent {
			return fmt.Errorf("flow %s is not linked", f.ID)
		}
	}
	for i := range p.Nodes {
		n := &p.Nodes[i]
		switch {
		case n.Index != i || n.Parent >= i || n.Parent < Root:
			return fmt.Errorf("node %s has a wrong index", n.ID)
		case n.Parent != Root && p.Nodes[n.Parent].Kind != KindSubProcess:
			return fmt.Errorf("node %s lies in a %s", n.ID, p.Nodes[n.Parent].Kind)
		case !slices.Contains(p.ScopeOf(n.Parent).Children, i):
			return fmt.Errorf("the scope of node %s does not hold it", n.ID)
		case n.Default != None && !slices.Contains(n.Outgoing, n.Default):
			return fmt.Errorf("the default flow of %s does not leave it", n.ID)
		case n.Kind.Event() != (n.Event != nil):
			return fmt.Errorf("event %s has no event", n.ID)
		case n.AttachedTo != None && !slices.Contains(p.Nodes[n.AttachedTo].Boundaries, i):
			return fmt.Errorf("the host of %s does not know it", n.ID)
		case n.LinkTarget != None && p.Nodes[n.LinkTarget].Parent != n.Parent:
			return fmt.Errorf("link %s leaves its scope", n.ID)
		case n.Join != nil && len(n.Join) != len(n.Incoming):
			return fmt.Errorf("gateway %s has %d join sets", n.ID, len(n.Join))
		case n.Kind == KindUserTask && n.User == nil, n.Kind == KindCallActivity && n.Call == nil, n.Kind == KindScriptTask && n.Script == nil:
			return errors.New("a task lacks its part")
		case !slices.IsSorted(n.Incoming), !slices.IsSorted(n.Outgoing), !slices.IsSorted(n.Children):
			return fmt.Errorf("node %s is not in document order", n.ID)
		}
	}
	return nil
}
