package runtime

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"viva/internal/kernel/clock"
	"viva/internal/kernel/errs"
	"viva/internal/kernel/store"
	"viva/internal/workflow/engine"
)

// mixed is the model of the random runs.
var mixed = model("mixed", `<parallelGateway id="fork"/><parallelGateway id="join"/><exclusiveGateway id="x"/>
<userTask id="all" name="all" f:candidateUsers="1,2"><multiInstanceLoopCharacteristics f:collection="${people}" f:elementVariable="p"><completionCondition xsi:type="tFormalExpression">${nrOfCompletedInstances >= 2}</completionCondition></multiInstanceLoopCharacteristics></userTask>
<userTask id="turn" name="turn"><multiInstanceLoopCharacteristics isSequential="true" f:collection="${people}" f:elementVariable="p"/></userTask>
<boundaryEvent id="t" attachedToRef="turn" cancelActivity="false">`+timer("timeCycle", "R2/PT1H")+`</boundaryEvent><endEvent id="end2"/>
<subProcess id="sub"><startEvent id="s1"/><userTask id="in" name="in"/><endEvent id="s2"/><sequenceFlow id="g1" sourceRef="s1" targetRef="in"/><sequenceFlow id="g2" sourceRef="in" targetRef="s2"/></subProcess>
<boundaryEvent id="m" attachedToRef="sub"><messageEventDefinition messageRef="paid"/></boundaryEvent>
<serviceTask id="j" f:class="flaky" f:asyncBefore="true"><extensionElements><f:failedJobRetryTimeCycle>R2/PT1M</f:failedJobRetryTimeCycle></extensionElements></serviceTask>
<callActivity id="c" calledElement="inner"/>`+user("a", "z"),
	"start>a a>fork fork>all fork>turn fork>sub all>join turn>join sub>x m>x x>join?n!=3 x>a?n==3 join>j j>c c>z z>end t>end2", paid)

// walk drives instances at random.
type walk struct {
	*world
	rnd  *rand.Rand
	pass func(time.Duration)
	ids  []string
	done map[string]int
}

func (k *walk) pick(n int) int { return k.rnd.IntN(n) }

// step makes one random command; refusals are part of the game.
func (k *walk) step() (string, error) {
	if len(k.ids) == 0 || k.pick(12) == 0 {
		res, err := k.e.Start(k.ctx, StartIn{Key: "mixed", BusinessType: "t", BusinessID: fmt.Sprint(k.pick(8)),
			Vars: map[string]any{"people": []any{1, 2, 3}[:k.pick(4)], "n": k.pick(5)}})
		if err == nil {
			k.ids = append(k.ids, res.Instance)
		}
		return "start", err
	}
	id := k.ids[k.pick(len(k.ids))]
	if children, err := store.Select[string](k.ctx, `SELECT id FROM wf_instance WHERE tenant_id = :tenant AND parent_instance_id = :id AND status <> 2`, store.Args{"id": id}); err != nil {
		return "children", err
	} else if len(children) > 0 && k.pick(2) == 0 {
		id = children[0]
	}
	st := k.load(id).State
	if st.Instance.Status == engine.Ended {
		k.ids = slices.DeleteFunc(k.ids, func(x string) bool { return x == id })
		return "over", nil
	}
	name, do := k.action(st)
	if do == nil {
		return name, k.fireDue(st)
	}
	_, err := k.e.Do(k.ctx, Command{Instance: id, Action: do})
	return name, err
}

func (k *walk) action(st *engine.State) (string, engine.Action) {
	var open *engine.Task
	if len(st.Tasks) > 0 {
		open = st.Tasks[k.pick(len(st.Tasks))]
	}
	if st.Instance.Status == engine.Suspended && k.pick(2) == 0 {
		return "resume", &engine.Resume{}
	}
	if len(st.Incidents) > 0 && k.pick(3) == 0 {
		if k.pick(4) == 0 {
			return "skip", &engine.SkipIncident{Incident: st.Incidents[0].ID}
		}
		return "retry", &engine.RetryIncident{Incident: st.Incidents[0].ID}
	}
	n := k.pick(20)
	if n >= 16 && len(st.Jobs) == 0 {
		n = 0
	}
	switch {
	case n < 9 && open != nil && open.Parent == 0:
		return "complete", &engine.CompleteTask{Task: open.ID, Vars: engine.Document(fmt.Sprintf(`{"n":%d}`, k.pick(5)))}
	case n < 9 && open != nil:
		return "end task", &engine.EndTask{Task: open.ID, Status: engine.TaskApproved}
	case n == 9 && open != nil:
		return "assign", &engine.SetAssignee{Task: open.ID, AssigneeID: int64(k.pick(5)), OwnerID: 3}
	case n == 10 && open != nil:
		return "add", &engine.AddTask{Parent: open.ID, AssigneeID: 6, Status: engine.TaskOpen}
	case n == 11 && k.pick(2) == 0:
		return "suspend", &engine.Suspend{}
	case n == 11 && len(st.Subscriptions) > 0:
		return "deliver", &engine.Deliver{Subscription: st.Subscriptions[0].ID, Vars: `{"n":1}`}
	case n == 15 && open != nil && k.pick(2) == 0:
		return "move", &engine.Move{Tokens: []int64{open.Token}, To: "a"}
	case n == 16:
		return "variables", &engine.SetVariables{Vars: `{"x<&>":"文"}`}
	case n == 17 && k.pick(6) == 0:
		return "end", &engine.End{Result: engine.Rejected, Reason: "no"}
	}
	return "jobs", nil
}

// fireDue does what the queue would do with the next job of the instance.
func (k *walk) fireDue(st *engine.State) error {
	if len(st.Jobs) == 0 || st.Instance.Status != engine.Running {
		return nil
	}
	j := st.Jobs[0]
	if late := time.Duration(j.DueAt-clock.Millis()) * time.Millisecond; late > 0 {
		k.pass(late)
	}
	p := task{st.Instance.ID, j.ID, j.DueAt, j.Attempt}
	k.setBroken(k.pick(2) == 0)
	err := k.e.onJob(k.ctx, p, func(*engine.Job) engine.Action { return &engine.FireJob{Job: p.Job} })
	if errors.Is(err, errBroken) {
		return k.e.onJob(k.ctx, p, func(*engine.Job) engine.Action { return &engine.FailJob{Job: p.Job, Message: err.Error()} })
	}
	return err
}

// TestRandom: after every command, executed or refused, document and tables agree; at
// the end every instance replays to the byte.
func TestRandom(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.deploy(inner)
		w.deploy(mixed)
		k := &walk{world: w, rnd: rand.New(rand.NewPCG(7, 11)), pass: travel(t), done: map[string]int{}}
		for i := range 400 {
			name, err := k.step()
			var refusal *errs.Error
			if err != nil && !errors.As(err, &refusal) {
				t.Fatalf("step %d, %s: %v", i, name, err)
			}
			if err == nil {
				k.done[name]++
			} else if refusal.Code.Kind == errs.Internal {
				t.Errorf("step %d, %s: %v", i, name, err)
			}
			if len(k.ids) > 0 {
				id := k.ids[k.pick(len(k.ids))]
				if found, err := w.e.Verify(w.ctx, id); err != nil || len(found) > 0 {
					t.Fatalf("step %d, %s: %v\n%s", i, name, err, strings.Join(found, "\n"))
				}
			}
		}
		t.Log(k.done)
		for _, name := range []string{"start", "complete", "jobs", "deliver", "suspend", "resume", "assign", "add", "retry", "move"} {
			if k.done[name] == 0 {
				t.Errorf("never done: %s", name)
			}
		}
		w.sound()
	})
}

// TestRace lets two nodes do everything at once to the same instances: whoever loses is
// told why, and nothing is half done.
func TestRace(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.deploy(inner)
		w.deploy(mixed)
		d := w.deploy(strings.Replace(mixed, `name="a"`, `name="A"`, 1))
		nodes := []*Engine{w.e, w.engine(true)}
		for round := range 4 {
			res, err := w.e.Start(w.ctx, StartIn{Key: "mixed", BusinessType: "r", BusinessID: fmt.Sprint(round), Vars: map[string]any{"people": []any{1, 2, 3}, "n": 1}})
			if err != nil {
				t.Fatal(err)
			}
			id := res.Instance
			w.complete(id, "a")
			st := w.load(id).State
			work := []func(e *Engine) error{
				func(e *Engine) error { return e.Together(w.ctx, func(context.Context) error { return nil }) },
				func(e *Engine) error {
					j := st.Jobs[0]
					return e.onJob(w.ctx, task{id, j.ID, j.DueAt, j.Attempt}, func(*engine.Job) engine.Action { return &engine.FireJob{Job: j.ID} })
				},
			}
			for _, task := range st.Tasks {
				work = append(work, func(e *Engine) error {
					_, err := e.Do(w.ctx, Command{Instance: id, Action: &engine.CompleteTask{Task: task.ID}})
					return err
				})
			}
			for _, do := range []engine.Action{&engine.Deliver{Subscription: st.Subscriptions[0].ID}, &engine.Migrate{DefinitionID: d.ID}, &engine.SetVariables{Vars: `{"y":1}`}} {
				work = append(work, func(e *Engine) error {
					_, err := e.Do(w.ctx, Command{Instance: id, Action: do})
					return err
				})
			}
			if round%2 == 1 {
				work = append(work, func(e *Engine) error {
					_, err := e.Do(w.ctx, Command{Instance: id, Action: &engine.End{Result: engine.Cancelled}})
					return err
				})
			}
			var wg sync.WaitGroup
			for i, fn := range append(work, work...) { // each twice, once on each node
				wg.Go(func() {
					var refusal *errs.Error
					if err := fn(nodes[i/len(work)]); err != nil && (!errors.As(err, &refusal) || refusal.Code.Kind == errs.Internal) {
						t.Errorf("round %d: %v", round, err)
					}
				})
			}
			wg.Wait()
		}
		w.sound()
	})
}

// Verify sees damage: a row that is missing, extra or different, a gap, a lost run.
func TestVerify_damage(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.deploy(inner)
		w.deploy(path)
		damage := map[string]func(ctx context.Context, args store.Args) error{
			"task 1": func(ctx context.Context, args store.Args) error {
				_, err := store.Exec(ctx, `UPDATE wf_task SET assignee_id = 77 WHERE tenant_id = :tenant AND instance_id = :id`, args)
				return err
			},
			"is not in the table": func(ctx context.Context, args store.Args) error {
				_, err := store.Exec(ctx, `DELETE FROM wf_subscription WHERE tenant_id = :tenant AND owner_id = :id`, args)
				return err
			},
			"in the table only": func(ctx context.Context, args store.Args) error {
				_, err := store.Exec(ctx, `INSERT INTO wf_activity (tenant_id, instance_id, id, token_id, element, type, started_at) VALUES (:tenant, :id, 999, 1, 'a', 'userTask', 1)`, args)
				return err
			},
			"history": func(ctx context.Context, args store.Args) error {
				_, err := store.Exec(ctx, `UPDATE wf_event SET seq = seq + 5 WHERE tenant_id = :tenant AND instance_id = :id`, args)
				return err
			},
			"has no run": func(ctx context.Context, args store.Args) error {
				_, err := store.Exec(ctx, `DELETE FROM job_run WHERE tenant_id = :tenant AND payload LIKE '%' || :id || '%'`, args)
				return err
			},
			"life": func(ctx context.Context, args store.Args) error {
				_, err := store.Exec(ctx, `UPDATE wf_instance SET state = '{}' WHERE tenant_id = :tenant AND id = :id`, args)
				return err
			},
		}
		for want, fn := range damage {
			res := w.start("path", map[string]any{"people": []any{1}})
			if err := store.Write(w.ctx, func(ctx context.Context) error { return fn(ctx, store.Args{"id": res.Instance}) }); err != nil {
				t.Fatal(err)
			}
			found, err := w.e.Verify(w.ctx, res.Instance)
			text := strings.Join(found, "\n")
			want, _, _ = strings.Cut(want, " 1")
			if err != nil || !strings.Contains(text, want) {
				t.Errorf("%s: %v %q", want, err, text)
			}
		}
		if _, err := w.e.Verify(w.ctx, newID()); !errs.Is(err, ErrNoInstance) {
			t.Error(err)
		}
	})
}
