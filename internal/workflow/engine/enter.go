package engine

import "viva/internal/workflow/bpmn"

// enter brings a token to a node.
func (r *run) enter(t *Token, n *bpmn.Node) (Phase, error) {
	if r.fx.Visits++; r.fx.Visits > MaxVisits {
		return phaseNone, ErrTooLong.With(MaxVisits)
	}
	later := n.AsyncBefore
	if t.Kind == KindItem {
		later = n.Loop.AsyncBefore
	}
	if later {
		return phaseNone, r.continueLater(t, n, JobAsyncBefore)
	}
	return PhaseStart, nil
}

// start goes on after the asynchronous start.
func (r *run) start(t *Token, n *bpmn.Node) (Phase, error) {
	switch {
	case n.Loop == nil || t.Kind == KindItem:
		return PhaseOpen, nil
	case n.Loop.Kind == bpmn.LoopStandard:
		return r.openLoop(t, n)
	}
	return phaseNone, r.openBody(t, n)
}

// open begins the visit.
func (r *run) open(t *Token, n *bpmn.Node) error {
	r.startVisit(t, n.Kind.String())
	if err := r.inputs(t, n.Inputs); err != nil {
		return err
	}
	if err := r.listen(t, n, "start"); err != nil {
		return err
	}
	if t.Kind == KindItem || t.LoopIndex > 0 {
		return nil // the boundary events belong to the activity as a whole
	}
	return r.armBoundaries(t, n)
}

// behave does the work of the node. The answer is PhaseLeave, or phaseNone when
// the token waits or is gone.
func (r *run) behave(t *Token, n *bpmn.Node) (Phase, error) {
	if skip, err := r.skipped(t, n.Skip); skip || err != nil {
		return PhaseLeave, err
	}
	switch n.Kind {
	case bpmn.KindUserTask:
		return phaseNone, r.createTask(t, n)
	case bpmn.KindServiceTask, bpmn.KindSendTask, bpmn.KindBusinessRuleTask:
		return r.serve(t, n)
	case bpmn.KindScriptTask:
		return r.runScript(t, n)
	case bpmn.KindReceiveTask:
		return phaseNone, r.receive(t, n)
	case bpmn.KindParallelGateway:
		return r.parallel(t, n)
	case bpmn.KindInclusiveGateway:
		return r.inclusive(t, n)
	case bpmn.KindEventGateway:
		return phaseNone, r.deferChoice(t, n)
	case bpmn.KindSubProcess:
		return phaseNone, r.openScope(t, n)
	case bpmn.KindCallActivity:
		return phaseNone, r.callChild(t, n)
	case bpmn.KindCatchEvent:
		return r.catch(t, n)
	case bpmn.KindStartEvent:
		if n.Initiator != "" {
			return PhaseLeave, r.set(t, n.Initiator, r.st.Instance.StarterID)
		}
	case bpmn.KindThrowEvent, bpmn.KindEndEvent:
		return r.give(t, n)
	}
	return PhaseLeave, nil // exclusive gateway, plain and manual task, boundary event
}

// startVisit opens the row of a visit.
func (r *run) startVisit(t *Token, kind string) {
	e := r.event(EventEnter, t.Element, t.ID, 0)
	if t.Kind == KindBody {
		e.Data = `"body"`
	}
	a := &Activity{ID: r.id(), Token: t.ID, Element: t.Element, Type: kind, StartedAt: r.cmd.At}
	r.st.Activities = append(r.st.Activities, a)
	r.visits = append(r.visits, a.ID)
}

// endVisit closes the open row of the token, if any.
func (r *run) endVisit(t *Token, how EndKind) {
	for i := len(r.st.Activities) - 1; i >= 0; i-- {
		a := r.st.Activities[i]
		if a.Token != t.ID {
			continue
		}
		a.EndedAt, a.EndKind = r.cmd.At, how
		r.fx.Activities = append(r.fx.Activities, *a)
		r.st.Activities = append(r.st.Activities[:i], r.st.Activities[i+1:]...)
		kind := EventLeave
		if how == EndCancelled {
			kind = EventCancel
		}
		r.event(kind, a.Element, t.ID, a.Task)
		return
	}
}

// visitTask ties the open visit to its task.
func (r *run) visitTask(t *Token, task int64) {
	for i := len(r.st.Activities) - 1; i >= 0; i-- {
		if a := r.st.Activities[i]; a.Token == t.ID {
			a.Task = task
			r.visits = append(r.visits, a.ID)
			return
		}
	}
}

// skipped tests a skip expression; it only counts while the switch variable of
// its vendor is true.
func (r *run) skipped(t *Token, skip bpmn.Expression) (bool, error) {
	if !skip.Present() {
		return false, nil
	}
	for _, name := range [...]string{"_FLOWABLE_SKIP_EXPRESSION_ENABLED", "_ACTIVITI_SKIP_EXPRESSION_ENABLED"} {
		if v, _ := r.lookup(t, name); v == true {
			return r.holds(t, skip)
		}
	}
	return false, nil
}
