package engine

import (
	"slices"
	"testing"
)

func TestTaskCreation(t *testing.T) {
	p := newPlay(t, `
		start s: a
		user a assignee=${boss} candidateUsers=u1,${extra} candidateGroups=g1,g2 dueDate=${due} priority=${p} formKey=form-${p}: e
		end e`)
	p.do(&Start{ID: "i", DefinitionID: "v1", Vars: varsOf([]string{"boss=12", "extra=[\"u2\",\"u3\"]", "due=P1D", "p=70"})})
	c, ok := p.last.Outbox[0].(TaskCreated)
	if !ok {
		t.Fatalf("%T", p.last.Outbox[0])
	}
	k := c.Task
	if k.AssigneeID != 12 || c.Assignee != "12" || k.Priority != 70 || k.FormKey != "form-70" || k.DueAt != clock0+86_400_000 || k.Status != TaskOpen {
		t.Errorf("%+v", c)
	}
	if !slices.Equal(c.CandidateUsers, []string{"u1", "u2", "u3"}) || !slices.Equal(c.CandidateGroups, []string{"g1", "g2"}) {
		t.Errorf("%v %v", c.CandidateUsers, c.CandidateGroups)
	}
	if p.g.Nodes[c.Node].ID != "a" {
		t.Errorf("node %d", c.Node)
	}
	p.replay()
}

// A name that is no number is left to the approval layer.
func TestTaskOfNamedUser(t *testing.T) {
	p := newPlay(t, `
		start s: a
		user a assignee=kermit: e
		end e`)
	p.script(`start`)
	if c := p.last.Outbox[0].(TaskCreated); c.Assignee != "kermit" || c.Task.AssigneeID != 0 {
		t.Fatalf("%+v", c)
	}
}

func TestAssignment(t *testing.T) {
	p := newPlay(t, `
		start s: a
		user a assignee=1 task=assignment/log task=update/log: e
		end e`)
	p.script(`start`)
	id := p.st.Tasks[0].ID
	p.do(&SetAssignee{Task: id, AssigneeID: 2, OwnerID: 1, Delegation: "pending"})
	if k := p.st.Task(id); k.AssigneeID != 2 || k.OwnerID != 1 || k.Delegation != "pending" {
		t.Fatalf("%+v", k)
	}
	if a := p.last.Outbox[0].(TaskAssigned); a.Old != 1 || a.Task.AssigneeID != 2 {
		t.Fatalf("%+v", a)
	}
	p.do(&SetAssignee{Task: id, AssigneeID: 1, Claimed: true})
	if k := p.st.Task(id); k.OwnerID != 1 || k.Delegation != "" || k.ClaimedAt != p.at {
		t.Fatalf("%+v", k)
	}
	due, status := int64(5), TaskWaiting
	p.do(&UpdateTask{Task: id, DueAt: &due, Status: &status})
	if k := p.st.Task(id); k.DueAt != 5 || k.Status != TaskWaiting || k.AssigneeID != 1 {
		t.Fatalf("%+v", k)
	}
	p.script(`calls assignment a log, assignment a log, assignment a log, update a log; done a; over`)
	if err := p.try(&SetAssignee{Task: id, AssigneeID: 2}); err == nil {
		t.Fatal("an ended task was assigned")
	}
	p.replay()
}

// Added signers: rows beside the task of the element, which waits for them.
func TestAddedTasks(t *testing.T) {
	p := newPlay(t, `
		start s: a
		user a: e
		boundary b on=a timer=PT1H: e
		end e`)
	p.script(`start`)
	parent := p.st.Tasks[0].ID
	p.do(&AddTask{Parent: parent, AssigneeID: 3, SignType: "before", Status: TaskOpen})
	child := p.st.Tasks[1].ID
	p.do(&AddTask{Parent: child, AssigneeID: 4, Status: TaskOpen})
	if c := p.last.Outbox[0].(TaskCreated); c.Task.Parent != child || c.Task.AssigneeID != 4 || c.Task.Token != p.st.Tasks[0].Token {
		t.Fatalf("%+v", c)
	}
	if err := p.try(&CompleteTask{Task: parent}); err == nil || !ErrTaskBusy.With().Is(err) {
		t.Fatalf("completed before its signers: %v", err)
	}
	if err := p.try(&CompleteTask{Task: child}); err == nil {
		t.Fatal("an added task moved the token")
	}
	if err := p.try(&EndTask{Task: parent, Status: TaskApproved}); err == nil {
		t.Fatal("the task of the element ended without its token")
	}
	p.do(&EndTask{Task: child, Status: TaskApproved})
	if len(p.st.Tasks) != 1 {
		t.Fatalf("the task below the ended one is still open: %d", len(p.st.Tasks))
	}
	var statuses []TaskStatus
	for _, k := range p.last.Tasks {
		statuses = append(statuses, k.Status)
	}
	if !slices.Equal(statuses, []TaskStatus{TaskCancelled, TaskApproved}) {
		t.Fatalf("%v", statuses)
	}
	p.do(&AddTask{Parent: parent, AssigneeID: 3, Status: TaskWaiting})
	p.script(`fire b; over; open 0`)
	p.replay()
}

func TestEndedTaskKeepsStatusAndReason(t *testing.T) {
	p := newPlay(t, `
		start s: g
		and g: a b
		user a: e
		user b: e
		end e`)
	p.script(`start`)
	mine := p.task("a").ID
	p.do(&End{Result: Rejected, Reason: "not ready", Task: mine, TaskStatus: TaskRejected})
	got := map[string]TaskStatus{}
	for _, k := range p.last.Tasks {
		got[k.Element] = k.Status
		if k.Reason != "not ready" || k.EndedAt != p.at {
			t.Errorf("%+v", k)
		}
	}
	if got["a"] != TaskRejected || got["b"] != TaskCancelled {
		t.Fatalf("%v", got)
	}
	p.script(`over 3`)
}

func TestReturnMarksTasks(t *testing.T) {
	p := newPlay(t, `
		start s: a
		user a: g
		and g: b c
		user b: j
		user c: j
		and j: e
		end e`)
	p.script(`start; done a`)
	mine := p.task("b").ID
	void := Downstream(p.g, p.st, "a")
	p.do(&Move{Tokens: void, To: "a", Reason: "again", Task: mine, TaskStatus: TaskReturned})
	got := map[string]TaskStatus{}
	for _, k := range p.last.Tasks {
		got[k.Element] = k.Status
	}
	if got["b"] != TaskReturned || got["c"] != TaskCancelled || got["a"] != TaskOpen {
		t.Fatalf("%v", got)
	}
	p.script(`at a; done a; at b c`)
	p.replay()
}

func TestDownstream(t *testing.T) {
	p := newPlay(t, `
		start s: g
		and g: a x
		user a: S
		sub S: b {
			start s1: i
			user i: e1
			end e1
		}
		user b: j
		user x: y
		user y: j
		and j: e
		end e`)
	p.script(`start; done a; at i x`)
	if list := Downstream(p.g, p.st, "a"); len(list) != 1 || p.st.Token(list[0]).Element != "S" {
		t.Fatalf("%v", list)
	}
	if list := Downstream(p.g, p.st, "i"); len(list) != 1 || p.st.Token(list[0]).Element != "i" {
		t.Fatalf("%v", list)
	}
	if list := Downstream(p.g, p.st, "y"); len(list) != 0 {
		t.Fatalf("a branch beside: %v", list)
	}
	if list := Downstream(p.g, p.st, "nope"); list != nil {
		t.Fatalf("%v", list)
	}
}
