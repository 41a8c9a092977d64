package engine

import (
	"errors"
	"fmt"
	"strconv"
	"time"

	"viva/internal/workflow/bpmn"
	"viva/internal/workflow/juel"
)

// reader is what an expression sees: the variables from a token outward, the
// implicit names, and the registered beans.
type reader struct {
	r      *run
	t      *Token
	task   *Task
	extra  map[string]any // names that come before the variables
	closed bool           // nothing but extra
	failed error          // of a bean
}

// Now implements juel.Env.
func (e *reader) Now() time.Time { return e.r.now() }

func (r *run) now() time.Time {
	at := time.UnixMilli(r.cmd.At)
	if r.env.Location != nil {
		return at.In(r.env.Location)
	}
	return at.UTC()
}

// Variable implements juel.Env.
func (e *reader) Variable(name string) (any, bool) {
	if v, ok := e.extra[name]; ok || e.closed {
		return v, ok
	}
	if v, ok := e.r.lookup(e.t, name); ok {
		return v, true
	}
	in := &e.r.st.Instance
	switch name {
	case "initiator", "PROCESS_START_USER_ID":
		return in.StarterID, true
	case "execution":
		return map[string]any{
			"id": strconv.FormatInt(e.t.ID, 10), "processInstanceId": in.ID, "processDefinitionId": in.DefinitionID,
			"businessKey": in.BusinessID, "processInstanceBusinessKey": in.BusinessID, "currentActivityId": e.t.Element,
			"parentId": strconv.FormatInt(e.t.Parent, 10), "rootProcessInstanceId": in.RootID, "startUserId": in.StarterID,
		}, true
	case "task":
		if k := e.task; k != nil {
			v := map[string]any{
				"id": strconv.FormatInt(k.ID, 10), "name": k.Name, "taskDefinitionKey": k.Element, "priority": int64(k.Priority),
				"createTime": k.CreatedAt, "assignee": nil, "owner": nil, "dueDate": nil,
			}
			if k.AssigneeID != 0 {
				v["assignee"] = strconv.FormatInt(k.AssigneeID, 10)
			}
			if k.OwnerID != 0 {
				v["owner"] = strconv.FormatInt(k.OwnerID, 10)
			}
			if k.DueAt != 0 {
				v["dueDate"] = time.UnixMilli(k.DueAt).UTC()
			}
			return v, true
		}
	}
	return nil, false
}

// Call implements juel.Env: the variable methods of execution and task, else a
// registered bean.
func (e *reader) Call(bean, method string, args []any) (any, error) {
	if bean == "execution" || bean == "task" {
		if v, ok, err := e.access(method, args); ok || err != nil {
			return v, err
		}
	}
	v, err := e.r.env.bean(bean, method, args)
	if err != nil {
		e.failed = err
	}
	return v, err
}

func (e *reader) access(method string, args []any) (any, bool, error) {
	name := ""
	if len(args) > 0 {
		name, _ = args[0].(string)
	}
	switch method {
	case "getVariable", "getVariableLocal":
		v, _ := e.r.lookup(e.t, name)
		return v, true, nil
	case "hasVariable", "hasVariableLocal":
		_, ok := e.r.lookup(e.t, name)
		return ok, true, nil
	case "setVariable", "setVariableLocal":
		if len(args) != 2 || name == "" {
			return nil, true, fmt.Errorf("%s(name, value) expected", method)
		}
		if method == "setVariable" {
			return nil, true, e.r.set(e.t, name, args[1])
		}
		return nil, true, e.r.setLocal(e.t, name, args[1])
	case "getProcessInstanceId", "getProcessDefinitionId", "getBusinessKey", "getProcessBusinessKey", "getCurrentActivityId", "getId":
		member := map[string]string{
			"getProcessInstanceId": "processInstanceId", "getProcessDefinitionId": "processDefinitionId", "getBusinessKey": "businessKey",
			"getProcessBusinessKey": "businessKey", "getCurrentActivityId": "currentActivityId", "getId": "id",
		}[method]
		v, _ := e.Variable("execution")
		m, _ := v.(map[string]any)
		return m[member], true, nil
	}
	return nil, false, nil
}

// eval evaluates an expression at a token. A failing expression stalls the token;
// a failing bean fails the command, unless it throws a fault or is missing.
func (r *run) eval(t *Token, x bpmn.Expression) (any, error) {
	if !x.Present() {
		return nil, nil
	}
	return r.evalWith(&reader{r: r, t: t}, x)
}

func (r *run) evalWith(env *reader, x bpmn.Expression) (any, error) {
	if !x.Present() {
		return nil, nil
	}
	expr, err := compiled(x)
	if err != nil {
		return nil, &stall{kind: IncidentExpression, message: inBoth(env.t.Element, err), detail: x.Source}
	}
	v, err := expr.Eval(env)
	return v, env.sort(err, x)
}

// holds evaluates a condition.
func (r *run) holds(t *Token, x bpmn.Expression) (bool, error) {
	expr, err := compiled(x)
	if err != nil {
		return false, &stall{kind: IncidentExpression, message: inBoth(t.Element, err), detail: x.Source}
	}
	env := &reader{r: r, t: t}
	yes, err := expr.Bool(env)
	return yes, env.sort(err, x)
}

func (e *reader) sort(err error, x bpmn.Expression) error {
	if err == nil {
		return nil
	}
	var fault *Fault
	switch {
	case e.failed != nil && errors.As(e.failed, &fault):
		return fault
	case e.failed != nil && errors.Is(e.failed, ErrNoHandler):
		return &stall{kind: IncidentHandler, message: inBoth(e.t.Element, e.failed), detail: x.Source}
	case e.failed != nil:
		return ErrHandler.With(e.t.Element, e.failed).Because(e.failed)
	}
	return &stall{kind: IncidentExpression, message: inBoth(e.t.Element, err), detail: x.Source}
}

func compiled(x bpmn.Expression) (*juel.Expr, error) {
	if x.Parsed != nil {
		return x.Parsed, nil
	}
	return juel.Parse(x.Source)
}

// text evaluates an expression to a text; null gives "".
func (r *run) text(t *Token, x bpmn.Expression) (string, error) {
	v, err := r.eval(t, x)
	if err != nil || v == nil {
		return "", err
	}
	return asText(v), nil
}

func asText(v any) string {
	switch x := v.(type) {
	case nil:
		return ""
	case string:
		return x
	case time.Time:
		return x.Format(time.RFC3339)
	}
	return fmt.Sprint(v)
}

// texts evaluates a list whose members may give a list or a comma list each.
func (r *run) texts(t *Token, list []bpmn.Expression) ([]string, error) {
	var out []string
	for _, x := range list {
		v, err := r.eval(t, x)
		if err != nil {
			return nil, err
		}
		if many, ok := v.([]any); ok {
			for _, one := range many {
				out = append(out, asText(one))
			}
			continue
		}
		out = append(out, splitList(asText(v))...)
	}
	return out, nil
}

// integer reads a whole number from a value or its text.
func integer(v any) (int64, bool) {
	switch x := v.(type) {
	case int64:
		return x, true
	case nil:
		return 0, false
	}
	text := asText(v)
	if text == "" {
		return 0, false
	}
	n, err := strconv.ParseInt(text, 10, 64)
	return n, err == nil
}
