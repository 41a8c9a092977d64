package runtime

import (
	"context"
	"errors"
	"slices"
	"strings"

	"viva/internal/workflow/bpmn"
	"viva/internal/workflow/script"
)

// examination collects what is wrong with the code that a file binds.
type examination struct {
	e        *Engine
	scripts  bool // this tenant may use JavaScript
	drawn    bool // the process is not executable
	problems []bpmn.Problem
}

// examineCode checks fields of handlers and scripts.
func (e *Engine) examineCode(ctx context.Context, doc *bpmn.Document) ([]bpmn.Problem, error) {
	allowed, err := e.scriptsAllowed(ctx)
	if err != nil {
		return nil, err
	}
	x := &examination{e: e, scripts: allowed}
	for _, p := range doc.Processes {
		x.drawn = !p.Executable
		at := place{p.ID, "process", p.At}
		x.listeners(at, p.Listeners, ForExecution)
		for i := range p.Nodes {
			x.node(&p.Nodes[i])
		}
		for i := range p.Flows {
			f := &p.Flows[i]
			at := place{f.ID, "sequenceFlow", f.At}
			x.listeners(at, f.Listeners, ForExecution)
			if f.Condition != nil {
				x.script(at, f.Condition.Script)
			}
		}
	}
	return x.problems, nil
}

type place struct {
	id, kind string
	at       bpmn.Position
}

func (x *examination) node(n *bpmn.Node) {
	at := place{n.ID, n.Kind.String(), n.At}
	x.listeners(at, n.Listeners, ForExecution)
	x.listeners(at, n.TaskListeners, ForTask)
	x.script(at, n.Script)
	x.parameters(at, n.Inputs)
	x.parameters(at, n.Outputs)
	if s := n.Service; s != nil {
		x.parameters(at, s.Inputs)
		x.parameters(at, s.Outputs)
		if s.Name != "" {
			x.fields(at, s.Name, ForService, s.Fields)
		}
	}
}

func (x *examination) parameters(at place, list []bpmn.Parameter) {
	for _, p := range list {
		x.value(at, p.Value)
	}
}

func (x *examination) value(at place, v bpmn.Value) {
	x.script(at, v.Script)
	for _, item := range v.List {
		x.value(at, item)
	}
	x.parameters(at, v.Entries)
}

func (x *examination) listeners(at place, list []bpmn.Listener, use Use) {
	for i := range list {
		l := &list[i]
		x.script(at, l.Script)
		if l.Name != "" {
			x.fields(at, l.Name, use, l.Fields)
		}
	}
}

// fields compares injected values with those the handler describes.
func (x *examination) fields(at place, name string, use Use, given []bpmn.Field) {
	h, ok := x.e.registry.handler(name, use)
	if !ok {
		return // reported as unknown already
	}
	for _, f := range given {
		if !slices.ContainsFunc(h.Fields, func(d Field) bool { return d.Name == f.Name }) {
			x.add(at, bpmn.Warning, "unknown-field", "处理器 "+name+" 没有字段 "+f.Name+"，该值不会被使用", "handler "+name+" has no field "+f.Name+"; the value is not used")
		}
	}
	for _, d := range h.Fields {
		if d.Required && !slices.ContainsFunc(given, func(f bpmn.Field) bool { return f.Name == d.Name }) {
			x.add(at, bpmn.Error, "missing-field", "处理器 "+name+" 需要字段 "+d.Name+"，请填写", "handler "+name+" needs the field "+d.Name)
		}
	}
}

func (x *examination) script(at place, s *bpmn.Script) {
	if s == nil || s.Resource != "" || isExpression(s) {
		return
	}
	if !x.scripts {
		x.add(at, bpmn.Error, "scripts-off", "本单位没有开放脚本，请改用表达式或处理器，或请管理员开通", "scripts are switched off here; use an expression or a handler, or ask the administrator")
		return
	}
	var fault *script.Error
	if err := script.Check(s.Format, s.Source); errors.As(err, &fault) {
		x.add(at, bpmn.Error, "script", fault.Text("zh"), fault.Text("en"))
	}
}

func isExpression(s *bpmn.Script) bool { return strings.EqualFold(strings.TrimSpace(s.Format), "juel") }

func (x *examination) add(at place, severity bpmn.Severity, code, zh, en string) {
	if x.drawn {
		severity = bpmn.Warning
	}
	x.problems = append(x.problems, bpmn.Problem{ElementID: at.id, ElementType: at.kind, Severity: severity, Code: code, Zh: zh, En: en, At: at.at})
}

func (e *Engine) scriptsAllowed(ctx context.Context) (bool, error) {
	if e.options.ScriptsAllowed == nil {
		return false, nil
	}
	return e.options.ScriptsAllowed(ctx)
}
