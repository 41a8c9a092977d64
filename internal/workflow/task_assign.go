package workflow

import (
	"context"
	"errors"
	"slices"
	"strconv"

	"viva/internal/kernel/store"
	"viva/internal/workflow/bpmn"
	"viva/internal/workflow/engine"
	"viva/internal/workflow/runtime"
)

// Items of a multi-instance task that stand for no person: what is left when nobody is
// asked. The task is made all the same, so that the history shows how it was decided.
const (
	itemNobody   = 0
	itemApproves = -1
	itemRejects  = -2
)

// askEverybody gives the people of a multi-instance user task; tasks without a rule keep
// the modelled collection.
func (s *Service) askEverybody(ctx context.Context, in *runtime.ItemsWanted) ([]any, bool, error) {
	if in.Node.Kind != bpmn.KindUserTask {
		return nil, false, nil
	}
	if same, _ := ctx.Value(samePersonKey{}).(*samePerson); same != nil && same.element == in.Node.ID && len(same.people) > 0 {
		return listed(same.people), true, nil
	}
	p, err := s.planOf(ctx, in.Instance.DefinitionID)
	if err != nil {
		return nil, false, err
	}
	q := &question{instance: in.Instance, process: in.Process, node: in.Node, vars: in.Variables(), plan: p}
	ids, known, err := s.candidates(ctx, q)
	if err != nil || !known && !decidesItself(in.Node) {
		return nil, false, err
	}
	again := false
	if returnedAt(q.vars) > 0 {
		tasks, err := s.engine.Tasks(ctx, in.Instance.ID)
		if err != nil {
			return nil, false, err
		}
		again = sentBackTo(q, tasks)
	}
	v, err := s.verdictFor(ctx, q, ids, again)
	if err != nil {
		return nil, false, err
	}
	switch {
	case v.auto == engine.TaskApproved:
		return []any{int64(itemApproves)}, true, nil
	case v.auto == engine.TaskRejected:
		return []any{int64(itemRejects)}, true, nil
	case len(v.ids) == 0:
		return []any{int64(itemNobody)}, true, nil
	}
	return listed(v.ids), true, nil
}

// taskChanged is the hook of the engine: a new task finds its people, and whoever gets a
// task is told.
func (s *Service) taskChanged(ctx context.Context, ev *runtime.TaskEvent) error {
	switch ev.Change {
	case runtime.TaskCreated:
		if ev.Task.Parent != 0 { // an added signer, whom the adder named
			return s.tellAssigned(ctx, ev)
		}
		if b, ok := s.owner(ev.Instance); ok {
			if err := s.tellOwner(ctx, b, standing(ev.State)); err != nil || s.owns(ev.Instance, ev.Task.Element) {
				return err
			}
		}
		if waits, err := s.askBeforeTask(ctx, ev); err != nil || waits {
			return err
		}
		return s.findPeople(ctx, ev)
	case runtime.TaskAssigned:
		return s.tellAssigned(ctx, ev)
	}
	return nil
}

// findPeople decides who decides a new task, and gives it to that person.
func (s *Service) findPeople(ctx context.Context, ev *runtime.TaskEvent) error {
	p, err := s.planOf(ctx, ev.Instance.DefinitionID)
	if err != nil || ev.Node == nil {
		return err
	}
	q := &question{instance: ev.Instance, process: ev.Process, node: ev.Node, vars: visibleVars(ev.State, ev.Task.Token), plan: p}
	tasks, err := s.earlier(ctx, q)
	if err != nil {
		return err
	}
	v, claimable, err := s.verdictOf(ctx, ev, q, tasks)
	if err != nil {
		return err
	}
	if len(v.ids) > 0 && len(claimable) == 0 {
		one := s.chooseFor(ctx, ev, v.ids)
		if repeats(q, tasks, one) {
			return s.decideItself(ctx, ev, verdict{auto: engine.TaskApproved, why: whyRepeated}, one)
		}
		return s.giveTo(ctx, ev, one)
	}
	if v.auto != 0 {
		return s.decideItself(ctx, ev, v, 0)
	}
	if len(claimable) > 0 {
		list := make([]runtime.Candidate, len(claimable))
		for i, id := range claimable {
			list[i] = runtime.Candidate{Kind: runtime.CandidateUser, Ref: id, Rule: "diagram"}
		}
		if err := s.engine.SetCandidates(ctx, ev.Instance.ID, ev.Task.ID, list); err != nil {
			return err
		}
	}
	return s.giveTo(ctx, ev, 0)
}

// earlier reads the tasks of the instance where they matter to the new one.
func (s *Service) earlier(ctx context.Context, q *question) ([]engine.Task, error) {
	if q.plan.settings().AutoApprovalType == 0 && returnedAt(q.vars) == 0 {
		return nil, nil
	}
	return s.engine.Tasks(ctx, q.instance.ID)
}

// verdictOf gives who decides a new task. claimable are several people whom the diagram
// itself names as candidates: one of them takes the task.
func (s *Service) verdictOf(ctx context.Context, ev *runtime.TaskEvent, q *question, tasks []engine.Task) (v verdict, claimable []int64, err error) {
	if item, ok := itemOf(ev, q.node); ok {
		switch {
		case item == itemApproves:
			v, err = s.verdictFor(ctx, q, nil, true)
			if v.auto != engine.TaskApproved {
				v = verdict{auto: engine.TaskApproved, why: whyStarterPasses}
			}
			return v, nil, err
		case item == itemRejects:
			v, err = s.verdictFor(ctx, q, nil, true)
			return v, nil, err
		case item > 0:
			return verdict{ids: []int64{item}}, nil, nil
		}
		return verdict{}, nil, nil
	}
	ids, known, err := s.candidates(ctx, q)
	if err != nil {
		return v, nil, err
	}
	if !known {
		if ids, claimable, err = modelledPeople(ctx, ev); err != nil {
			return v, nil, err
		}
	}
	if len(claimable) > 0 && settingOf(q.node).approveType < approveAtOnce {
		return v, claimable, nil
	}
	v, err = s.verdictFor(ctx, q, ids, sentBackTo(q, tasks))
	return v, nil, err
}

// itemOf reads whom askEverybody gave this item of a multi-instance task.
func itemOf(ev *runtime.TaskEvent, n *bpmn.Node) (int64, bool) {
	item := ev.State.Token(ev.Task.Token)
	if n.Loop == nil || item == nil || item.Kind != engine.KindItem {
		return 0, false
	}
	body := ev.State.Token(item.Parent)
	if body == nil || !body.Counters.Given {
		return 0, false
	}
	name := n.Loop.ElementVariable
	if name == "" {
		name = n.ID + "_assignee"
	}
	v, ok := documentVars(item.Vars)[name].(int64)
	return v, ok
}

// modelledPeople reads the diagram's own attributes. An assignee decides; a single
// candidate does too, since there is nobody to leave the task to.
func modelledPeople(ctx context.Context, ev *runtime.TaskEvent) (ids, claimable []int64, err error) {
	m := ev.Modelled
	if m == nil {
		return nil, nil, nil
	}
	if m.Assignee != "" {
		ids, err = named(ctx, []string{m.Assignee})
		return ids, nil, err
	}
	if claimable, err = named(ctx, m.CandidateUsers); err != nil {
		return nil, nil, err
	}
	groups, codes := numbersAnd(m.CandidateGroups)
	if len(groups) > 0 {
		members, err := usersOfGroups(ctx, groups)
		if err != nil {
			return nil, nil, err
		}
		claimable = append(claimable, members...)
	}
	if len(codes) > 0 {
		holders, err := store.Select[int64](ctx, sqlUsersOfRoleCodes, store.Args{"codes": codes})
		if err != nil {
			return nil, nil, err
		}
		claimable = append(claimable, holders...)
	}
	if claimable, err = enabledUsers(ctx, claimable); err != nil || len(claimable) > 1 {
		return nil, claimable, err
	}
	return claimable, nil, nil
}

// named finds enabled users by id or account name.
func named(ctx context.Context, texts []string) ([]int64, error) {
	ids, names := numbersAnd(texts)
	if len(names) > 0 {
		found, err := store.Select[int64](ctx, sqlUsersNamed, store.Args{"names": names})
		if err != nil {
			return nil, err
		}
		ids = append(ids, found...)
	}
	return enabledUsers(ctx, ids)
}

func numbersAnd(texts []string) (ids []int64, rest []string) {
	for _, text := range texts {
		if id, err := strconv.ParseInt(text, 10, 64); err == nil {
			ids = append(ids, id)
		} else if text != "" {
			rest = append(rest, text)
		}
	}
	return ids, rest
}

// samePerson asks that a task which a return or withdrawal opens again goes to the person
// who decided it before. It rides in the context of the command.
type samePerson struct {
	element string
	user    int64
	always  bool // also when the rules no longer name him
	// people are those of a multi-instance task, when not everybody is asked again.
	people []int64
}

type samePersonKey struct{}

func (s *Service) chooseFor(ctx context.Context, ev *runtime.TaskEvent, ids []int64) int64 {
	same, _ := ctx.Value(samePersonKey{}).(*samePerson)
	if same != nil && same.element == ev.Task.Element && len(same.people) == 0 && (same.always || slices.Contains(ids, same.user)) {
		return same.user
	}
	return chosen(ids, ev.Instance.ID, ev.Task.ID)
}

// giveTo makes the user the assignee, 0 for nobody.
func (s *Service) giveTo(ctx context.Context, ev *runtime.TaskEvent, user int64) error {
	if ev.Task.AssigneeID == user {
		if user == 0 {
			return nil
		}
		return s.tellAssigned(ctx, ev)
	}
	_, err := s.engine.Do(ctx, runtime.Command{Instance: ev.Instance.ID, Action: &engine.SetAssignee{Task: ev.Task.ID, AssigneeID: user}})
	return err
}

// decideItself ends a task without asking. user is the person in whose place it is done.
func (s *Service) decideItself(ctx context.Context, ev *runtime.TaskEvent, v verdict, user int64) error {
	if user != 0 && user != ev.Task.AssigneeID {
		do := &engine.SetAssignee{Task: ev.Task.ID, AssigneeID: user}
		if _, err := s.engine.Do(ctx, runtime.Command{Instance: ev.Instance.ID, Action: do}); err != nil {
			return err
		}
	}
	if v.auto == engine.TaskRejected {
		return s.reject(ctx, rejection{instance: ev.Instance.ID, process: ev.Process, node: ev.Node, task: ev.Task.ID, reason: v.why})
	}
	_, err := s.engine.Do(ctx, runtime.Command{Instance: ev.Instance.ID, Action: &engine.CompleteTask{Task: ev.Task.ID, Status: v.auto, Reason: v.why}})
	return err
}

// rejection is a decision against: of a person, or of the settings.
type rejection struct {
	instance string
	process  *bpmn.Process
	node     *bpmn.Node
	task     int64
	reason   string
}

// reject follows the setting of the node: the process ends as rejected, or goes back to
// an earlier task.
func (s *Service) reject(ctx context.Context, r rejection) error {
	if set := settingOf(r.node); set.ifRejected == rejectReturns {
		err := s.sendBack(ctx, backward{instance: r.instance, task: r.task, to: set.rejectTo, reason: r.reason, status: engine.TaskRejected})
		if !errors.Is(err, errNoWayBack) {
			return err
		}
	}
	_, err := s.engine.Do(ctx, runtime.Command{Instance: r.instance, Action: &engine.End{Result: engine.Rejected, Reason: r.reason, Task: r.task, TaskStatus: engine.TaskRejected}})
	return err
}
