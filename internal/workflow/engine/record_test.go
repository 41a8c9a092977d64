package engine

import (
	"bytes"
	"encoding/json"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"viva/internal/workflow/bpmn"
)

func TestDocument(t *testing.T) {
	for in, want := range map[string]string{
		`{"b":1,"a":[1.50,{"z":null,"y":"<&>"}]}`: `{"a":[1.50,{"y":"<&>","z":null}],"b":1}`,
		`{"n":9223372036854775807}`:               `{"n":9223372036854775807}`,
		` { } `:                                   ``,
	} {
		d, err := Document(in).Canonical()
		if err != nil || string(d) != want {
			t.Errorf("%s gives %s (%v), want %s", in, d, err, want)
		}
		var again Document
		if d != "" && (json.Unmarshal([]byte(jsonOf(d)), &again) != nil || again != d) {
			t.Errorf("%s is not stable: %s", d, again)
		}
	}
	var d Document
	if err := json.Unmarshal([]byte("null"), &d); err != nil || d != "" {
		t.Errorf("null gives %q", d)
	}
	if _, err := Document(`[1]`).Canonical(); err == nil {
		t.Error("a list was taken for variables")
	}
	if _, err := Document(`{"a":`).Canonical(); err == nil {
		t.Error("broken JSON was taken for variables")
	}
	fields, err := Document(`{"n":9007199254740993,"d":0.1}`).Fields()
	if err != nil || fields["n"] != int64(9007199254740993) {
		t.Errorf("%v %v", fields, err)
	}
	if _, err := Document(`[1]`).Fields(); err == nil {
		t.Error("a list is no object")
	}
	if _, err := Object(map[string]any{"f": func() {}}); err == nil {
		t.Error("a function was stored")
	}
}

// Values read the same in the command that wrote them and after a reload.
func TestValuesSurviveStorage(t *testing.T) {
	p := newPlay(t, `
		start s: a
		service a expr=${n/4} result=r: b
		service b expr=${now()} result=at: c
		service c expr=${r*4==n} result=same: u
		user u: d
		service d expr=${r*4==n} result=still: e
		end e`)
	p.script(`start n=5; var r=1.25; var same=true; var at=2025-03-01T00:00:00Z; done u; var still=true`)
	p.replay()
}

func TestCommandsAreRecorded(t *testing.T) {
	for _, do := range []Action{
		&Start{ID: "i", Vars: `{"a":1}`}, &CompleteTask{Task: 12}, &CompleteTask{Task: 3, Vars: `{"x":"<b>"}`}, &Move{Tokens: []int64{1, 2}, To: "a"},
		&Deliver{Subscription: 4}, &FinishJob{Job: 2, Fault: &Fault{Code: "E"}, Result: `[1,2]`}, &Migrate{DefinitionID: "d", Map: map[string]string{"a": "b"}},
		&UpdateTask{Task: 1, Title: new(string)}, &AddItem{Body: 1, Value: `{"id":7}`}, &ReopenItem{Body: 1, Value: `7`}, &SkipIncident{Incident: 1, Flow: "f"},
	} {
		r := &run{st: &State{}, cmd: Command{Do: do}, fx: newEffects(1, 0)}
		r.event(EventCommand, "", 0, 0)
		if err := r.recordCommand(0); err != nil {
			t.Fatal(err)
		}
		cmd, calls, err := readCommand(r.fx.Events[0])
		if err != nil || len(calls) != 0 || !reflect.DeepEqual(cmd.Do, do) {
			t.Errorf("%s: %+v, %v", do.Name(), cmd.Do, err)
		}
	}
	if _, err := Commands([]Event{{Kind: EventCommand, Data: `{"Do":"nope","Args":{}}`}}); err == nil {
		t.Error("an unknown command was read")
	}
	if _, err := Commands([]Event{{Kind: EventCommand, Data: `{`}}); err == nil {
		t.Error("a broken record was read")
	}
}

func TestEveryActionHasItsName(t *testing.T) {
	seen := map[string]bool{}
	for _, name := range []string{"start", "end", "suspend", "resume", "set_variables", "migrate", "complete_task", "set_assignee", "update_task", "add_task", "end_task",
		"cancel", "move", "add_item", "remove_item", "deliver", "fire_job", "finish_job", "fail_job", "finish_child", "raise", "retry_incident", "skip_incident"} {
		a := blank(name)
		if a == nil || a.Name() != name || seen[name] {
			t.Errorf("action %s", name)
		}
		seen[name] = true
	}
}

func TestReplayNoticesADifferentWorld(t *testing.T) {
	p := newPlay(t, `
		start s: a
		service a class=inc: u
		user u: e
		end e`)
	p.script(`start n=1; done u`)
	commands, err := Commands(p.events)
	if err != nil {
		t.Fatal(err)
	}
	other := compileModel(t, `
		start s: a
		service a class=log: u
		user u: e
		end e`)
	if _, _, err := Replay(func(string) (*bpmn.Process, error) { return other, nil }, nil, commands); err == nil || !strings.Contains(err.Error(), "log") {
		t.Fatalf("replay on another definition: %v", err)
	}
}

// goldenModel uses a bit of everything; its history is kept to notice when a
// release would run old instances differently.
const goldenModel = `
	start s: g
	and g: a S t
	user a assignee=${boss} all=${list} as=who done=${nrOfCompletedInstances/nrOfInstances>=0.5}: j
	sub S: k {
		start s1: w
		service w class=inc result=r: x
		xor x: b[${r>1}] e1[*]
		receive b msg=note: e1
		end e1
	}
	boundary d on=S timer=P1D: k
	xor k: j
	catch t timer=PT1H: j
	and j: o
	or o: y[${n>1}] z[*]
	call y calls=other in=n>m out=k>k: q
	user z: q
	or q: e
	end e`

func goldenHistory(t *testing.T) *play {
	p := newPlay(t, goldenModel)
	p.env.Location = time.UTC
	p.script(`start n=1 boss=4 list=["x","y","z"]; wait PT1H; fire t; msg note text=hello; wait PT5M; done a#2; done a; child y k=9; over`)
	return p
}

func TestGoldenHistory(t *testing.T) {
	p := goldenHistory(t)
	var b bytes.Buffer
	for _, e := range p.events {
		b.WriteString(jsonOf(e))
	}
	const name = "testdata/history.jsonl"
	if os.Getenv("VIVA_UPDATE_GOLDEN") != "" {
		if err := os.WriteFile(name, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(want, b.Bytes()) {
		t.Fatalf("the history of the golden model changed: instances of the last release may run differently.\n%s", b.String())
	}
	var stored []Event
	for line := range bytes.Lines(want) {
		var e Event
		if err := json.Unmarshal(line, &e); err != nil {
			t.Fatal(err)
		}
		stored = append(stored, e)
	}
	commands, err := Commands(stored)
	if err != nil {
		t.Fatal(err)
	}
	st, events, err := Replay(p.env.Process, time.UTC, commands)
	if err != nil || jsonOf(events) != jsonOf(stored) || jsonOf(st) != jsonOf(p.st) {
		t.Fatalf("the stored history does not replay: %v", err)
	}
}

// Check must see damage.
func TestInvariantsSeeDamage(t *testing.T) {
	fresh := func() *play {
		p := newPlay(t, `
			start s: g
			and g: a b c
			user a count=2: j
			receive b msg=m: j
			service c async=before class=log: j
			and j: e
			end e`)
		p.script(`start`)
		return p
	}
	for name, damage := range map[string]func(p *play){
		"lost task":            func(p *play) { p.st.Tasks = p.st.Tasks[1:] },
		"double task":          func(p *play) { c := *p.st.Tasks[0]; c.ID = 999; p.st.Tasks = append(p.st.Tasks, &c) },
		"lost subscription":    func(p *play) { p.st.Subscriptions = nil },
		"lost job":             func(p *play) { p.st.Jobs = nil },
		"orphan job":           func(p *play) { p.st.Jobs[0].Token = 999 },
		"orphan subscription":  func(p *play) { p.st.Subscriptions[0].Token = 999 },
		"orphan incident":      func(p *play) { p.st.Incidents = append(p.st.Incidents, &Incident{ID: 999, Token: 999}) },
		"orphan visit":         func(p *play) { p.st.Activities[0].Token = 999 },
		"lost visit":           func(p *play) { p.st.Activities = p.st.Activities[1:] },
		"visit elsewhere":      func(p *play) { p.st.Activities[0].Element = "j" },
		"ready token":          func(p *play) { p.token("b").State = StateReady },
		"incident without row": func(p *play) { p.token("b").State = StateIncident },
		"no parent":            func(p *play) { p.token("b").Parent = 998 },
		"parent is a leaf":     func(p *play) { p.token("c").Parent = p.token("b").ID },
		"root with parent":     func(p *play) { p.st.Tokens[0].Parent = 2 },
		"wrong counters":       func(p *play) { p.token("a").Counters.Active++ },
		"item outside a body":  func(p *play) { p.token("b").Kind = KindItem },
		"ended with tokens":    func(p *play) { p.st.Instance.Status = Ended },
		"alive without root":   func(p *play) { p.st.Tokens = p.st.Tokens[1:] },
		"lost token":           func(p *play) { p.st.Tokens = p.st.Tokens[:len(p.st.Tokens)-1] },
		"gap in the events":    func(p *play) { p.events[3].Seq++ },
		"event missing":        func(p *play) { p.events = p.events[:len(p.events)-1] },
		"wrong next seq":       func(p *play) { p.st.Instance.NextSeq++ },
	} {
		p := fresh()
		if v := Check(p.g, p.st, p.events); len(v) != 0 {
			t.Fatalf("before: %v", v)
		}
		damage(p)
		if len(Check(p.g, p.st, p.events)) == 0 {
			t.Errorf("%s is not seen", name)
		}
	}
}

func FuzzCommands(f *testing.F) {
	for _, seed := range [][]byte{{1, 2, 3, 4, 5, 6, 7, 8}, {9, 0, 9, 0, 30, 31, 32, 33, 34}, {7, 200, 3, 100, 50, 20, 10, 1, 1, 1}, []byte("move return cancel")} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, script []byte) {
		if len(script) < 2 {
			return
		}
		p := newPlay(t, randomBlocks(uint64(script[0]), false))
		p.do(&Start{ID: "i", DefinitionID: "v1", Vars: `{"list":["x","y"],"v0":true,"v1":false,"v2":true,"v3":false,"v4":true,"v5":false}`})
		for _, b := range script[1:min(len(script), 64)] {
			if p.st.Instance.Status == Ended {
				break
			}
			list := append(p.choices(), p.interventions(newRand(b))...)
			_ = p.try(list[int(b)%len(list)])
		}
		p.replay()
	})
}
