package bpmn

import (
	"fmt"
	"slices"
)

// Decode reads a file and compiles its processes. The error is a *Problem and
// means that there is nothing to show: no XML, no BPMN, or beyond the limits.
// Everything wrong inside a readable file stands in Document.Problems.
func Decode(data []byte) (*Document, error) {
	root, usage, problem := read(data)
	if problem != nil {
		return nil, problem
	}
	doc := &Document{ID: root.attr("id"), TargetNamespace: root.attr("targetNamespace"), Vendor: mostUsed(usage)}
	c := &compiler{doc: doc}
	c.definitions(root)
	c.duplicates(root)
	for _, e := range root.all("process") {
		doc.Processes = append(doc.Processes, c.process(e))
	}
	c.executability(root)
	slices.SortStableFunc(doc.Problems, byPosition)
	return doc, nil
}

func byPosition(a, b Problem) int {
	if a.At.Line != b.At.Line {
		return a.At.Line - b.At.Line
	}
	return a.At.Column - b.At.Column
}

func mostUsed(usage map[Vendor]int) Vendor {
	best := Vendor("")
	for _, v := range []Vendor{Camunda, Activiti, Flowable} {
		if usage[v] > usage[best] {
			best = v
		}
	}
	return best
}

// compiler turns the tree into the document.
type compiler struct {
	doc *Document
	// owner is the element that problems are reported at.
	owner *element
	// build is the process being compiled, nil outside.
	build *build
	// illustration marks the problems of processes that are not executable.
	illustration []bool
}

// definitions reads the root elements that others refer to.
func (c *compiler) definitions(root *element) {
	for _, e := range root.children {
		if e.vendor != "" {
			continue
		}
		d := Definition{ID: e.attr("id"), Name: e.attr("name"), At: e.at}
		switch e.name {
		case "message":
			d.Name = orElse(d.Name, d.ID)
			c.doc.Messages = append(c.doc.Messages, d)
		case "signal":
			d.Name, d.Scope = orElse(d.Name, d.ID), e.vend("scope")
			c.doc.Signals = append(c.doc.Signals, d)
		case "error":
			d.Code, d.Text = orElse(e.attr("errorCode"), d.ID), e.vend("errorMessage")
			c.doc.Errors = append(c.doc.Errors, d)
		case "extension":
			if boolean(e.attr("mustUnderstand"), false) {
				c.at(e).fail("must-understand", "文件要求执行方支持扩展 "+quoted(e.attr("definition"))+"，本系统不支持",
					"the file demands the extension "+quoted(e.attr("definition"))+", which is not supported")
			}
		case "import":
			c.at(e).warn("import", "引用的外部文件不会被读取", "the imported file is not read")
		}
	}
}

func orElse(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}

// definition gives the root element with the id.
func definition(list []Definition, id string) (Definition, bool) {
	for _, d := range list {
		if d.ID == id && id != "" {
			return d, true
		}
	}
	return Definition{}, false
}

// duplicates refuses ids given twice; diagram elements have ids of their own.
func (c *compiler) duplicates(root *element) {
	first := map[string]*element{}
	var walk func(e *element)
	walk = func(e *element) {
		if id := e.attr("id"); e.vendor == "" && id != "" {
			if other, taken := first[id]; taken {
				c.at(e).fail("duplicate-id", fmt.Sprintf("ID %s 重复：第 %d 行的 %s 已使用，请修改其中一个", clip(id), other.at.Line, other.name),
					fmt.Sprintf("id %s is already used by the %s in line %d; change one of them", clip(id), other.name, other.at.Line))
			} else {
				first[id] = e
			}
		}
		for _, child := range e.children {
			if child.vendor == "" {
				walk(child)
			}
		}
	}
	walk(root)
}

// executability wants one process that can run. Processes that are not
// executable beside one that is are illustration: their errors do not forbid
// the deployment.
func (c *compiler) executability(root *element) {
	runs := slices.ContainsFunc(c.doc.Processes, func(p *Process) bool { return p.Executable })
	switch {
	case len(c.doc.Processes) == 0:
		c.at(root).fail("no-process", "文件中没有流程（process）", "the file holds no process")
	case !runs:
		c.at(root.child("process")).fail("not-executable", "流程没有设为可执行，请将 isExecutable 设为 true",
			"no process is executable; set isExecutable to true")
	}
	for i := range c.doc.Problems {
		if runs && c.illustration[i] {
			c.doc.Problems[i].Severity = Warning
		}
	}
}

// at sets the element that the following problems belong to.
func (c *compiler) at(e *element) *compiler {
	c.owner = e
	return c
}

func (c *compiler) fail(code, zh, en string) { c.report(Error, code, zh, en) }

func (c *compiler) warn(code, zh, en string) { c.report(Warning, code, zh, en) }

// maxProblems bounds the list of a hopeless file.
const maxProblems = 1_000

func (c *compiler) report(s Severity, code, zh, en string) {
	if len(c.doc.Problems) > maxProblems {
		return
	}
	if len(c.doc.Problems) == maxProblems {
		// An error, because what is left out may be one.
		s, code = Error, "too-many-problems"
		zh, en = "问题过多，其余未列出，请先处理以上问题", "too many problems; the rest is not listed, mend these first"
	}
	c.doc.Problems = append(c.doc.Problems, Problem{ElementID: c.owner.attr("id"), ElementType: c.owner.name,
		Severity: s, Code: code, Zh: zh, En: en, At: c.owner.at})
	c.illustration = append(c.illustration, code != "too-many-problems" && c.build != nil && !c.build.process.Executable)
}
