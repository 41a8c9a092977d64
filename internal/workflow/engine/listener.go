package engine

import (
	"errors"

	"viva/internal/workflow/bpmn"
)

// listen runs the execution listeners of a node for one event, in document order.
func (r *run) listen(t *Token, n *bpmn.Node, event string) error {
	for i := range n.Listeners {
		if l := &n.Listeners[i]; l.Event == event {
			if err := r.callListener(t, l, Invocation{Purpose: PurposeExecution, Event: event, Node: n}); err != nil {
				return err
			}
		}
	}
	return nil
}

// listenCancelled runs the end listeners of a cancelled visit; they see the event
// "delete" and cannot throw a BPMN error, as there is nothing left to catch it.
func (r *run) listenCancelled(t *Token, n *bpmn.Node) error {
	for i := range n.Listeners {
		if l := &n.Listeners[i]; l.Event == "end" {
			err := r.callListener(t, l, Invocation{Purpose: PurposeExecution, Event: "delete", Node: n})
			if err != nil {
				return r.fatal(n.ID, err)
			}
		}
	}
	return nil
}

// listenTake runs the listeners of a flow. A token between two nodes cannot stop,
// so that every failure fails the command.
func (r *run) listenTake(t *Token, f *bpmn.Flow) error {
	for i := range f.Listeners {
		if l := &f.Listeners[i]; l.Event == "take" || l.Event == "" {
			if err := r.callListener(t, l, Invocation{Purpose: PurposeExecution, Event: "take", Flow: f}); err != nil {
				return r.fatal(f.ID, err)
			}
		}
	}
	return nil
}

// listenProcess runs the listeners of the process itself.
func (r *run) listenProcess(event string) error {
	for i := range r.g.Listeners {
		if l := &r.g.Listeners[i]; l.Event == event {
			if err := r.callListener(r.st.root(), l, Invocation{Purpose: PurposeExecution, Event: event}); err != nil {
				return r.fatal(r.g.ID, err)
			}
		}
	}
	return nil
}

// listenTask runs the task listeners for one event. They may throw a BPMN error;
// any other failure fails the command.
func (r *run) listenTask(t *Token, n *bpmn.Node, k *Task, event string) error {
	for i := range n.TaskListeners {
		if l := &n.TaskListeners[i]; l.Event == event || l.Event == "all" && event != "timeout" {
			if err := r.callTaskListener(t, l, Invocation{Purpose: PurposeTask, Event: event, Node: n, Task: k}); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *run) callTaskListener(t *Token, l *bpmn.Listener, inv Invocation) error {
	err := r.callListener(t, l, inv)
	var s *stall
	if errors.As(err, &s) {
		return r.fatal(t.Element, err)
	}
	return err
}

func (r *run) callListener(t *Token, l *bpmn.Listener, inv Invocation) error {
	var task *Task
	if inv.Task != nil {
		k := *inv.Task
		task = &k
	}
	inv.Task, inv.Code = task, l.Kind
	if l.Kind == bpmn.CodeExpression {
		_, err := r.evalWith(&reader{r: r, t: t, task: task}, l.Expression)
		return err
	}
	fields, err := r.fields(t, l.Fields)
	if err != nil {
		return err
	}
	inv.Handler, inv.Script, inv.Fields = l.Name, l.Script, fields
	out, err := r.env.invoke(r.invocation(t, inv))
	if err != nil {
		var fault *Fault
		if errors.As(err, &fault) || errors.Is(err, ErrNoHandler) {
			return r.codeError(t, err)
		}
		return ErrListener.With(t.Element, err).Because(err)
	}
	if err := r.setAll(t, out.Vars); err != nil {
		return err
	}
	if l.Script != nil && l.Script.ResultVariable != "" {
		if err := r.set(t, l.Script.ResultVariable, out.Result); err != nil {
			return err
		}
	}
	return r.setAllLocal(t, out.Local)
}

// fatal turns a fault or stall into an error of the command; it is not wrapped, as
// it must not be caught again.
func (r *run) fatal(element string, err error) error {
	var fault *Fault
	var s *stall
	if errors.As(err, &fault) || errors.As(err, &s) {
		return ErrListener.With(element, err)
	}
	return err
}
