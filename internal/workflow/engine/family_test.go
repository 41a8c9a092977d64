package engine

import (
	"fmt"
	"strconv"
	"testing"

	"viva/internal/workflow/bpmn"
)

// family runs a tree of instances the way the shell does: children start and
// report inside the command that caused it.
type family struct {
	t         testing.TB
	processes map[string]*bpmn.Process
	plays     map[string]*play
	children  map[string]string // parent/token → child
	n         int
}

func newFamily(t testing.TB, models map[string]string) *family {
	f := &family{t: t, processes: map[string]*bpmn.Process{}, plays: map[string]*play{}, children: map[string]string{}}
	for name, text := range models {
		f.processes[name] = compileModel(t, text)
	}
	return f
}

func (f *family) start(key string, do *Start) (string, error) {
	f.n++
	do.ID, do.DefinitionID = "i"+strconv.Itoa(f.n), key
	p := playOf(f.t, f.processes[key])
	f.plays[do.ID] = p
	return do.ID, f.apply(do.ID, do)
}

func (f *family) apply(id string, do Action) error {
	p := f.plays[id]
	if err := p.try(do); err != nil {
		return err
	}
	for _, e := range p.last.Outbox {
		switch x := e.(type) {
		case ChildWanted:
			if f.processes[x.Called] == nil {
				return fmt.Errorf("no process %q", x.Called)
			}
			f.children[id+"/"+strconv.FormatInt(x.Token, 10)] = "i" + strconv.Itoa(f.n+1)
			if _, err := f.start(x.Called, &Start{ParentInstance: id, ParentToken: x.Token, Depth: x.Depth, Vars: x.Vars}); err != nil {
				return err
			}
		case ChildUnwanted:
			child := f.children[id+"/"+strconv.FormatInt(x.Token, 10)]
			if err := f.apply(child, &End{Result: Cancelled, Reason: x.Reason}); err != nil {
				return err
			}
		case InstanceEnded:
			in := p.st.Instance
			if in.ParentInstance == "" || x.Result == Cancelled && x.Fault == nil {
				continue
			}
			if err := f.apply(in.ParentInstance, &FinishChild{Token: in.ParentToken, Vars: x.Vars, Fault: x.Fault}); err != nil {
				return err
			}
		}
	}
	return nil
}

func TestCallTree(t *testing.T) {
	f := newFamily(t, map[string]string{
		"outer": `
			start s: c
			call c calls=inner in=n>m out=r>result: z
			boundary b on=c err=E1: y
			user y: e
			user z: e
			end e`,
		"inner": `
			start s: a
			user a: x
			xor x: bad[${m<0}] w[*]
			service w expr=${m*2} result=r: e
			end bad err=E1
			end e`,
	})
	root, err := f.start("outer", &Start{Vars: `{"n":21}`})
	if err != nil {
		t.Fatal(err)
	}
	f.plays["i2"].script(`at a`)
	if err := f.apply("i2", &CompleteTask{Task: f.plays["i2"].st.Tasks[0].ID}); err != nil {
		t.Fatal(err)
	}
	f.plays[root].script(`at z; var result=42`)
	f.plays["i2"].script(`over`)

	if root, err = f.start("outer", &Start{Vars: `{"n":-1}`}); err != nil {
		t.Fatal(err)
	}
	child := "i" + strconv.Itoa(f.n)
	if err := f.apply(child, &CompleteTask{Task: f.plays[child].st.Tasks[0].ID}); err != nil {
		t.Fatal(err)
	}
	f.plays[root].script(`at y; var code=E1`)
	f.plays[child].script(`over 4`)

	if root, err = f.start("outer", &Start{Vars: `{"n":1}`}); err != nil {
		t.Fatal(err)
	}
	child = "i" + strconv.Itoa(f.n)
	if err := f.apply(root, &End{Result: Cancelled}); err != nil {
		t.Fatal(err)
	}
	f.plays[child].script(`over 4; open 0`)
}

// Pattern 22, recursion: by call activity, as deep as MaxDepth.
func TestRecursion(t *testing.T) {
	f := newFamily(t, map[string]string{"rec": `
		start s: x
		xor x: c[${n>0}] w[*]
		call c calls=rec in=${n-1}>n out=sum>sub: p
		service p expr=${sub+n} result=sum: e
		service w expr=${0} result=sum: e
		end e`})
	root, err := f.start("rec", &Start{Vars: `{"n":10}`})
	if err != nil {
		t.Fatal(err)
	}
	f.plays[root].script(`over; var sum=55`)
	if _, err := f.start("rec", &Start{Vars: `{"n":100}`}); err == nil || !ErrTooDeep.With().Is(err) {
		t.Fatalf("recursion without end: %v", err)
	}
}
