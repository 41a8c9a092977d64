package bpmn

import "slices"

// UseKind says what a file refers to outside itself.
type UseKind string

// The kinds: handlers by purpose, bean calls in expressions ("bean.method"),
// registered decisions, called processes, and stored scripts.
const (
	UseService      UseKind = "service"
	UseListener     UseKind = "execution"
	UseTaskListener UseKind = "task"
	UseCall         UseKind = "call"
	UseDecision     UseKind = "decision"
	UseProcess      UseKind = "process"
	UseFile         UseKind = "file"
)

// Use is one reference to something outside the file.
type Use struct {
	Kind        UseKind
	Name        string
	ElementID   string
	ElementType string
	At          Position
	drawn       bool // in a process that is not executable
}

// use notes a reference of the current element; an empty name is none.
func (c *compiler) use(kind UseKind, name string) {
	if name != "" {
		c.doc.Uses = append(c.doc.Uses, Use{kind, name, c.owner.attr("id"), c.owner.name, c.owner.at, c.build != nil && !c.build.process.Executable})
	}
}

var useNames = map[UseKind][2]string{
	UseService: {"处理器", "handler"}, UseListener: {"执行监听器", "execution listener"}, UseTaskListener: {"任务监听器", "task listener"},
	UseCall: {"表达式方法", "expression method"}, UseDecision: {"决策", "decision"}, UseProcess: {"被调用的流程", "called process"}, UseFile: {"脚本文件", "script file"},
}

// Check lists all problems of a document in the order of the file: those found
// while compiling, and every use that known, when given, does not know. A
// process may be deployed when none is an Error. A called process that is not
// deployed yet is only a warning: it is looked up when the call is made.
func Check(doc *Document, known func(kind UseKind, name string) bool) []Problem {
	problems := slices.Clone(doc.Problems)
	if known == nil {
		return problems
	}
	reported := map[Use]bool{}
	for _, u := range doc.Uses {
		if reported[u] || known(u.Kind, u.Name) {
			continue
		}
		reported[u] = true
		severity := Error
		if u.Kind == UseProcess || u.drawn {
			severity = Warning
		}
		names := useNames[u.Kind]
		problems = append(problems, Problem{ElementID: u.ElementID, ElementType: u.ElementType, Severity: severity, Code: "unknown-" + string(u.Kind),
			Zh: names[0] + " " + quoted(u.Name) + " 未注册或不存在，请检查名称", En: names[1] + " " + quoted(u.Name) + " is not registered or does not exist; check the name", At: u.At})
	}
	slices.SortStableFunc(problems, byPosition)
	return problems
}

// Deployable reports whether none of the problems is an error.
func Deployable(problems []Problem) bool {
	return !slices.ContainsFunc(problems, func(p Problem) bool { return p.Severity == Error })
}
