package engine

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"viva/internal/workflow/bpmn"
)

const clock0 = int64(1_740_787_200_000) // 2025-03-01T00:00:00Z

// play runs one instance through commands and checks the invariants after each.
type play struct {
	t      testing.TB
	g      *bpmn.Process
	others map[string]*bpmn.Process // definitions for Migrate
	st     *State
	events []Event
	last   *Effects
	at     int64
	n      int
	calls  []string // "event element handler"
	env    Env
}

func newPlay(t testing.TB, model string) *play {
	t.Helper()
	return playOf(t, compileModel(t, model))
}

func playOf(t testing.TB, g *bpmn.Process) *play {
	p := &play{t: t, g: g, st: &State{}, at: clock0, others: map[string]*bpmn.Process{"v1": g}}
	p.env = Env{Invoke: p.invoke, Bean: p.bean, Process: func(id string) (*bpmn.Process, error) {
		if g := p.others[id]; g != nil {
			return g, nil
		}
		return nil, fmt.Errorf("no definition %s", id)
	}, Async: func(i Invocation) bool { return strings.HasPrefix(i.Handler, "later") }}
	return p
}

// noPaper is a failure that names itself for mapException.
type noPaper struct{}

func (noPaper) Error() string   { return "no paper" }
func (noPaper) Failure() string { return "NoPaper" }

// invoke is the registry of the tests.
func (p *play) invoke(i Invocation) (Outcome, error) {
	element := ""
	if i.Node != nil {
		element = i.Node.ID
	}
	if i.Flow != nil {
		element = i.Flow.ID
	}
	p.calls = append(p.calls, strings.TrimSpace(i.Event+" "+element+" "+i.Handler))
	name, arg, _ := strings.Cut(i.Handler, ":")
	switch name {
	case "log", "later":
		return Outcome{}, nil
	case "inc":
		v, _ := i.Variable("n")
		n, _ := v.(int64)
		return Outcome{Vars: map[string]any{"n": n + 1}, Result: n + 1}, nil
	case "set":
		return Outcome{Vars: i.Fields, Result: "done"}, nil
	case "fault":
		return Outcome{}, &Fault{Code: arg, Message: "thrown by " + element}
	case "faultonce":
		if v, _ := i.Variable("fixed"); v != true {
			return Outcome{}, &Fault{Code: arg, Message: "not fixed"}
		}
		return Outcome{}, nil
	case "break":
		return Outcome{}, errors.New("it broke")
	case "paper":
		return Outcome{}, fmt.Errorf("printer 3: %w", noPaper{})
	case "one":
		return Outcome{Result: []any{map[string]any{"x": 7}}}, nil
	case "two":
		return Outcome{Result: []any{map[string]any{"x": 7}, map[string]any{"x": 8, "a": 1}}}, nil
	}
	if i.Purpose == PurposeScript && i.Script != nil {
		var v any
		if err := json.Unmarshal([]byte(i.Script.Source), &v); err != nil {
			return Outcome{}, err
		}
		return Outcome{Result: v, Vars: map[string]any{"scripted": true}}, nil
	}
	return Outcome{}, ErrNoHandler
}

func (p *play) bean(bean, method string, args []any) (any, error) {
	switch bean + "." + method {
	case "math.double":
		n, _ := args[0].(int64)
		return 2 * n, nil
	case "math.fault":
		return nil, &Fault{Code: "bean", Message: "from a bean"}
	case "math.fail":
		return nil, errors.New("bean failed")
	case "math.setlist":
		return []any{"x", "y"}, nil
	}
	return nil, ErrNoHandler
}

// try runs a command; after an error the state is the one before.
func (p *play) try(do Action) error {
	p.t.Helper()
	p.n++
	backup := p.st.Clone()
	cmd := Command{ID: "c" + strconv.Itoa(p.n), At: p.at, ActorID: 7, Do: do}
	fx, err := Apply(p.g, p.st, cmd, p.env)
	if err != nil {
		p.st = backup
		return err
	}
	p.last = fx
	p.events = append(p.events, fx.Events...)
	checkDelta(p.t, backup, p.st, fx)
	if m, ok := do.(*Migrate); ok {
		p.g = p.others[m.DefinitionID]
	}
	for _, v := range Check(p.g, p.st, p.events) {
		p.t.Fatalf("after %s: %s: %s\n%s", do.Name(), v.Rule, v.Detail, p.dump())
	}
	return nil
}

func (p *play) do(do Action) {
	p.t.Helper()
	if err := p.try(do); err != nil {
		p.t.Fatalf("%s: %v\n%s", do.Name(), err, p.dump())
	}
}

// checkDelta rebuilds the state from the one before and the effects, as the store
// of the shell will.
func checkDelta(t testing.TB, before, after *State, fx *Effects) {
	t.Helper()
	got := before.Clone()
	got.Instance = after.Instance
	got.Tokens = patch(got.Tokens, fx.Tokens, fx.TokensGone, func(*Token) bool { return false })
	got.Subscriptions = patch(got.Subscriptions, fx.Subscriptions, fx.SubsGone, func(*Subscription) bool { return false })
	got.Jobs = patch(got.Jobs, fx.Jobs, fx.JobsGone, func(*Job) bool { return false })
	got.Tasks = patch(got.Tasks, fx.Tasks, nil, func(k *Task) bool { return k.EndedAt != 0 })
	got.Incidents = patch(got.Incidents, fx.Incidents, nil, func(i *Incident) bool { return i.ResolvedAt != 0 })
	got.Activities = patch(got.Activities, fx.Activities, nil, func(a *Activity) bool { return a.EndedAt != 0 })
	if a, b := jsonOf(got), jsonOf(after); a != b {
		t.Fatalf("the effects do not lead to the state\nfrom effects %s\nstate        %s", a, b)
	}
}

func patch[T any, P interface {
	*T
	row
}](rows []P, saved []T, gone []int64, over func(P) bool) []P {
	for i := range saved {
		s := P(&saved[i])
		rows = remove(rows, s.key())
		if !over(s) {
			at, _ := index(rows, s.key())
			rows = slices.Insert(rows, at, s)
		}
	}
	for _, id := range gone {
		rows = remove(rows, id)
	}
	return rows
}

func jsonOf(v any) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return err.Error()
	}
	return b.String()
}

// replay runs everything again from the events and compares the bytes.
func (p *play) replay() {
	p.t.Helper()
	commands, err := Commands(p.events)
	if err != nil {
		p.t.Fatal(err)
	}
	st, events, err := Replay(p.env.Process, nil, commands)
	if err != nil {
		p.t.Fatalf("%v\n%s", err, p.dump())
	}
	if a, b := jsonOf(st), jsonOf(p.st); a != b {
		p.t.Fatalf("replay gives another state\n%s\n%s", a, b)
	}
	if a, b := jsonOf(events), jsonOf(p.events); a != b {
		p.t.Fatalf("replay gives other events\n%s\n%s", a, b)
	}
}

func (p *play) dump() string {
	var b strings.Builder
	for _, t := range p.st.Tokens {
		fmt.Fprintf(&b, "token %d parent %d %s %s %s %s %+v %s\n", t.ID, t.Parent, t.Kind, t.Element, t.State, t.ArrivedFlow, t.Counters, t.Vars)
	}
	for _, i := range p.st.Incidents {
		fmt.Fprintf(&b, "incident %+v\n", *i)
	}
	fmt.Fprintf(&b, "vars %s\n", p.st.Instance.Vars)
	return b.String()
}

// leaves lists where tokens stand, with the state for those at a join or stuck.
func (p *play) leaves() string {
	var list []string
	for _, t := range p.st.Tokens {
		switch t.State {
		case StateActive:
		case StateJoin:
			list = append(list, t.Element+"|")
		case StateIncident:
			list = append(list, t.Element+"!")
		default:
			list = append(list, t.Element)
		}
	}
	slices.Sort(list)
	return strings.Join(list, " ")
}

// path lists the elements entered, bodies of multi-instance activities left out.
func (p *play) path() string {
	var list []string
	for _, e := range p.events {
		if e.Kind == EventEnter && e.Data != `"body"` {
			list = append(list, e.Element)
		}
	}
	return strings.Join(list, " ")
}

// task finds the n-th open task of an element.
func (p *play) task(ref string) *Task {
	p.t.Helper()
	element, nth := ref, 0
	if name, n, ok := strings.Cut(ref, "#"); ok {
		element = name
		nth, _ = strconv.Atoi(n)
		nth--
	}
	for _, k := range p.st.Tasks {
		if k.Element == element && k.Parent == 0 {
			if nth == 0 {
				return k
			}
			nth--
		}
	}
	p.t.Fatalf("no open task %s\n%s", ref, p.dump())
	return nil
}

func (p *play) token(ref string) *Token {
	p.t.Helper()
	element, nth := ref, 0
	if name, n, ok := strings.Cut(ref, "#"); ok {
		element = name
		nth, _ = strconv.Atoi(n)
		nth--
	}
	for _, t := range p.st.Tokens {
		if t.Element == element {
			if nth == 0 {
				return t
			}
			nth--
		}
	}
	p.t.Fatalf("no token at %s\n%s", ref, p.dump())
	return nil
}

// vars reads "a=1 b=text" into a document.
func varsOf(words []string) Document {
	m := map[string]any{}
	for _, w := range words {
		name, value, _ := strings.Cut(w, "=")
		var v any
		if v = value; json.Valid([]byte(value)) {
			v, _ = decode(value)
		}
		m[name] = v
	}
	doc, _ := Object(m)
	return doc
}

// script runs the steps of a behaviour case, separated by ";":
//
//	start k=v · done task k=v · fire element · msg/sig name k=v · trigger element
//	child element k=v · childfault element code · fail element · finish element k=v
//	retry k=v · skip flow k=v · raise element code · end result · suspend · resume
//	move a,b to c · cancel a · add element value · remove element#n · wait duration
//	set k=v · migrate id
//
// A step after "!" must be refused. Assertions: at (leaves), path, var k=v, calls,
// over (result), jobs n, subs n, open n (tasks), incidents kind…
func (p *play) script(steps string) {
	p.t.Helper()
	for _, step := range strings.Split(steps, ";") {
		if step = strings.TrimSpace(step); step == "" {
			continue
		}
		refused := strings.HasPrefix(step, "!")
		step = strings.TrimSpace(strings.TrimPrefix(step, "!"))
		word, rest, _ := strings.Cut(step, " ")
		if p.expect(word, rest) {
			continue
		}
		err := p.try(p.action(word, strings.Fields(rest)))
		if refused && err == nil {
			p.t.Fatalf("step %q was not refused\n%s", step, p.dump())
		}
		if !refused && err != nil {
			p.t.Fatalf("step %q: %v\n%s", step, err, p.dump())
		}
	}
}

func (p *play) action(word string, args []string) Action {
	p.t.Helper()
	arg := func(i int) string {
		if i < len(args) {
			return args[i]
		}
		return ""
	}
	rest := func(i int) Document { return varsOf(args[min(i, len(args)):]) }
	switch word {
	case "start":
		return &Start{ID: "i1", DefinitionID: "v1", StarterID: 5, BusinessID: "B1", Vars: rest(0)}
	case "startat":
		return &Start{ID: "i1", DefinitionID: "v1", StarterID: 5, Node: arg(0), Vars: rest(1)}
	case "startchild":
		return &Start{ID: "i1", DefinitionID: "v1", ParentInstance: "i0", ParentToken: 3, Depth: 1, Vars: rest(0)}
	case "done":
		return &CompleteTask{Task: p.task(arg(0)).ID, Vars: rest(1)}
	case "fire":
		return &FireJob{Job: p.job(arg(0)).ID}
	case "fail":
		return &FailJob{Job: p.job(arg(0)).ID, Message: "failed"}
	case "finish":
		return &FinishJob{Job: p.job(arg(0)).ID, Vars: rest(1), Result: `"answer"`}
	case "finishfault":
		return &FinishJob{Job: p.job(arg(0)).ID, Fault: &Fault{Code: arg(1)}}
	case "msg", "sig", "trigger":
		for _, s := range p.st.Subscriptions {
			if string(s.Kind) == map[string]string{"msg": "message", "sig": "signal", "trigger": "trigger"}[word] && (s.Name == arg(0) || s.Element == arg(0)) {
				return &Deliver{Subscription: s.ID, Vars: rest(1)}
			}
		}
		return &Deliver{Subscription: -1}
	case "child":
		return &FinishChild{Token: p.token(arg(0)).ID, Vars: rest(1)}
	case "childfault":
		return &FinishChild{Token: p.token(arg(0)).ID, Fault: &Fault{Code: arg(1), Message: "child"}}
	case "retry":
		return &RetryIncident{Incident: p.st.Incidents[0].ID, Vars: rest(0)}
	case "skip":
		f := arg(0)
		if f == "-" {
			f = ""
		}
		return &SkipIncident{Incident: p.st.Incidents[0].ID, Flow: f, Vars: rest(1)}
	case "raise":
		return &Raise{Token: p.token(arg(0)).ID, Code: arg(1)}
	case "end":
		n, _ := strconv.Atoi(arg(0))
		return &End{Result: Result(n), Reason: "because"}
	case "suspend":
		return &Suspend{}
	case "resume":
		return &Resume{}
	case "set":
		return &SetVariables{Vars: rest(0)}
	case "move", "cancel":
		var ids []int64
		if arg(0) != "-" {
			for _, ref := range strings.Split(arg(0), ",") {
				ids = append(ids, p.token(ref).ID)
			}
		}
		if word == "cancel" {
			return &Cancel{Tokens: ids}
		}
		return &Move{Tokens: ids, To: arg(2), Reason: "sent back"}
	case "add":
		doc, _ := encode(arg(1))
		return &AddItem{Body: p.token(arg(0)).ID, Value: doc}
	case "remove":
		return &RemoveItem{Item: p.token(arg(0)).ID}
	case "migrate":
		return &Migrate{DefinitionID: arg(0), Map: p.names(args[1:])}
	}
	p.t.Fatalf("unknown step %q", word)
	return nil
}

func (p *play) names(args []string) map[string]string {
	m := map[string]string{}
	for _, a := range args {
		from, to, _ := strings.Cut(a, ">")
		m[from] = to
	}
	return m
}

func (p *play) job(ref string) *Job {
	p.t.Helper()
	element, nth := ref, 0
	if name, n, ok := strings.Cut(ref, "#"); ok {
		element = name
		nth, _ = strconv.Atoi(n)
		nth--
	}
	for _, j := range p.st.Jobs {
		if j.Element == element {
			if nth == 0 {
				return j
			}
			nth--
		}
	}
	p.t.Fatalf("no job at %s\n%s", ref, p.dump())
	return nil
}

// expect handles assertions; false means the word is a command.
func (p *play) expect(word, rest string) bool {
	p.t.Helper()
	rest = strings.TrimSpace(rest)
	got := ""
	switch word {
	case "at":
		words := strings.Fields(rest)
		slices.Sort(words)
		rest, got = strings.Join(words, " "), p.leaves()
	case "path":
		got = p.path()
	case "var":
		name, want, _ := strings.Cut(rest, "=")
		vars, _ := p.st.Instance.Vars.Fields()
		v, ok := vars[name]
		doc, _ := encode(v)
		rest, got = want, strings.Trim(string(doc), `"`)
		if !ok {
			got = "absent"
		}
	case "calls":
		got = strings.Join(p.calls, ", ")
	case "over":
		got = strconv.Itoa(int(p.st.Instance.Result))
		if p.st.Instance.Status != Ended {
			got = "running"
		}
		if rest == "" {
			rest = "2"
		}
	case "jobs":
		got = strconv.Itoa(len(p.st.Jobs))
	case "subs":
		got = strconv.Itoa(len(p.st.Subscriptions))
	case "open":
		got = strconv.Itoa(len(p.st.Tasks))
	case "visits":
		got = strconv.Itoa(p.last.Visits)
	case "incidents":
		var list []string
		for _, i := range p.st.Incidents {
			list = append(list, string(i.Kind))
		}
		got = strings.Join(list, " ")
	case "due":
		element, want, _ := strings.Cut(rest, " ")
		rest, got = want, strconv.FormatInt((p.job(element).DueAt-clock0)/1000, 10)
	case "wait":
		s, err := bpmn.ParsePeriod(rest)
		if err != nil {
			p.t.Fatal(err)
		}
		p.at = s.After(p.env0().now(), p.env0().now().Location()).UnixMilli()
		return true
	case "effects":
		var list []string
		for _, e := range p.last.Outbox {
			list = append(list, strings.TrimPrefix(fmt.Sprintf("%T", e), "engine."))
		}
		got = strings.Join(list, " ")
	default:
		return false
	}
	if got != rest {
		p.t.Fatalf("%s: got %q, want %q\n%s", word, got, rest, p.dump())
	}
	return true
}

func (p *play) env0() *run {
	return &run{cmd: Command{At: p.at}, env: world{Env: p.env}}
}

// behaviour is one row of a behaviour table.
type behaviour struct {
	name, model, script string
}

func runBehaviours(t *testing.T, rows []behaviour) {
	t.Helper()
	for _, b := range rows {
		t.Run(strings.ReplaceAll(b.name, " ", "_"), func(t *testing.T) {
			p := newPlay(t, b.model)
			p.script(b.script)
			p.replay()
		})
	}
}
