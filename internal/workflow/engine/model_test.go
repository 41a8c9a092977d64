package engine

import (
	"encoding/xml"
	"fmt"
	"strings"
	"testing"

	"viva/internal/workflow/bpmn"
)

// The models of the tests are written one node a line and become BPMN XML, so
// that every test goes through the decoder:
//
//	kind id attr=value … : target target[condition] target[*]
//
// [*] is the default flow. A line ending in { opens a sub-process, } closes it.
// Events take timer= (PT1H, @date, R3/PT1H), msg=, sig=, err= or link=; boundary
// events on=, "beside" for non-interrupting; activities all=, each= (collection of
// a parallel or sequential multi-instance), as= (element variable), done=, loop=,
// max=, first (test before), async=before|after|both, class=, expr=, script=,
// result=, listen=event/handler, task=event/handler, in=a>b, out=a>b, give=n=expr.

type modelWriter struct {
	body  strings.Builder
	roots map[string]string // id → element
	order []string
	flows []string // of the open scope
	stack [][]string
	n     int
}

var kinds = map[string]string{
	"start": "startEvent", "end": "endEvent", "user": "userTask", "service": "serviceTask", "script": "scriptTask",
	"send": "sendTask", "receive": "receiveTask", "rule": "businessRuleTask", "task": "task", "manual": "manualTask",
	"xor": "exclusiveGateway", "and": "parallelGateway", "or": "inclusiveGateway", "event": "eventBasedGateway",
	"sub": "subProcess", "esub": "subProcess", "call": "callActivity", "catch": "intermediateCatchEvent",
	"throw": "intermediateThrowEvent", "boundary": "boundaryEvent",
}

func xmlText(s string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(s))
	return b.String()
}

func modelXML(text string) string {
	w := &modelWriter{roots: map[string]string{}}
	for _, line := range strings.Split(text, "\n") {
		if line = strings.TrimSpace(line); line != "" {
			w.line(line)
		}
	}
	w.body.WriteString(strings.Join(w.flows, ""))
	var roots strings.Builder
	for _, id := range w.order {
		roots.WriteString(w.roots[id])
	}
	return `<?xml version="1.0" encoding="UTF-8"?>
<bpmn:definitions xmlns:bpmn="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:c="http://camunda.org/schema/1.0/bpmn" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" id="definitions" targetNamespace="t">` +
		roots.String() + `<bpmn:process id="process" isExecutable="true">` + w.body.String() + `</bpmn:process></bpmn:definitions>`
}

func (w *modelWriter) root(kind, name string) string {
	id := kind + "_" + name
	if _, ok := w.roots[id]; !ok {
		w.order = append(w.order, id)
		w.roots[id] = fmt.Sprintf(`<bpmn:%s id="%s" name="%s" errorCode="%s"/>`, kind, id, name, name)
		if kind != "error" {
			w.roots[id] = fmt.Sprintf(`<bpmn:%s id="%s" name="%s"/>`, kind, id, name)
		}
	}
	return id
}

func (w *modelWriter) line(line string) {
	if line == "}" {
		w.body.WriteString(strings.Join(w.flows, "") + "</bpmn:subProcess>")
		w.flows, w.stack = w.stack[len(w.stack)-1], w.stack[:len(w.stack)-1]
		return
	}
	open := strings.HasSuffix(line, "{")
	line = strings.TrimSpace(strings.TrimSuffix(line, "{"))
	head, targets, _ := strings.Cut(line+" ", ": ")
	words := strings.Fields(head)
	if len(words) < 2 || kinds[words[0]] == "" {
		panic("model line: " + line)
	}
	node := kinds[words[0]]
	id := words[1]
	attrs, ext, inner := fmt.Sprintf(` id="%s" name="%s"`, id, id), "", ""
	if words[0] == "esub" {
		attrs += ` triggeredByEvent="true"`
	}
	loop := map[string]string{}
	for _, word := range words[2:] {
		a, e, i := w.attribute(node, word, loop)
		attrs, ext, inner = attrs+a, ext+e, inner+i
	}
	inner += loopXML(loop)
	for _, target := range strings.Fields(targets) {
		to, cond, _ := strings.Cut(strings.TrimSuffix(target, "]"), "[")
		w.n++
		flow := fmt.Sprintf("f%d", w.n)
		if cond == "*" {
			attrs += fmt.Sprintf(` default="%s"`, flow)
			cond = ""
		}
		if cond != "" {
			cond = `<bpmn:conditionExpression xsi:type="bpmn:tFormalExpression">` + xmlText(strings.ReplaceAll(cond, "~", " ")) + `</bpmn:conditionExpression>`
		}
		w.flows = append(w.flows, fmt.Sprintf(`<bpmn:sequenceFlow id="%s" sourceRef="%s" targetRef="%s">%s</bpmn:sequenceFlow>`, flow, id, to, cond))
	}
	if ext != "" {
		ext = "<bpmn:extensionElements>" + ext + "</bpmn:extensionElements>"
	}
	w.body.WriteString("<bpmn:" + node + attrs + ">" + ext + inner)
	if open {
		w.stack = append(w.stack, w.flows)
		w.flows = nil
		return
	}
	w.body.WriteString("</bpmn:" + node + ">")
}

func (w *modelWriter) attribute(node, word string, loop map[string]string) (attrs, ext, inner string) {
	key, value, _ := strings.Cut(word, "=")
	value = xmlText(strings.ReplaceAll(value, "~", " "))
	name, rest, _ := strings.Cut(value, "/")
	switch key {
	case "all", "each", "as", "done", "loop", "max", "first", "count":
		loop[key] = value
		if key == "count" && loop["each"] == "" {
			loop["all"] = ""
		}
	case "on":
		attrs = fmt.Sprintf(` attachedToRef="%s"`, value)
	case "beside":
		attrs = ` cancelActivity="false"`
		if node == "startEvent" {
			attrs = ` isInterrupting="false"`
		}
	case "timer":
		kind := "timeDuration"
		if strings.HasPrefix(value, "@") {
			kind, value = "timeDate", value[1:]
		} else if strings.HasPrefix(value, "R") || strings.Contains(value, " ") {
			kind = "timeCycle"
		}
		inner = fmt.Sprintf(`<bpmn:timerEventDefinition><bpmn:%s>%s</bpmn:%s></bpmn:timerEventDefinition>`, kind, value, kind)
	case "msg":
		if node == "receiveTask" || node == "sendTask" {
			return fmt.Sprintf(` messageRef="%s"`, w.root("message", value)), "", ""
		}
		inner = fmt.Sprintf(`<bpmn:messageEventDefinition messageRef="%s"/>`, w.root("message", value))
	case "sig":
		inner = fmt.Sprintf(`<bpmn:signalEventDefinition signalRef="%s"/>`, w.root("signal", value))
	case "err":
		if value == "" {
			inner = `<bpmn:errorEventDefinition c:errorCodeVariable="code" c:errorMessageVariable="text"/>`
		} else {
			inner = fmt.Sprintf(`<bpmn:errorEventDefinition errorRef="%s" c:errorCodeVariable="code"/>`, w.root("error", value))
		}
	case "link":
		inner = fmt.Sprintf(`<bpmn:linkEventDefinition name="%s"/>`, value)
	case "terminateall":
		inner = `<bpmn:terminateEventDefinition c:terminateAll="true"/>`
	case "maps":
		ext = fmt.Sprintf(`<c:mapException errorCode="%s">%s</c:mapException>`, name, rest)
	case "terminate":
		inner = `<bpmn:terminateEventDefinition/>`
	case "async":
		if value != "after" {
			attrs += ` c:asyncBefore="true"`
		}
		if value != "before" {
			attrs += ` c:asyncAfter="true"`
		}
	case "expr":
		attrs = fmt.Sprintf(` c:expression="%s"`, value)
	case "script":
		attrs, inner = ` scriptFormat="javascript"`, "<bpmn:script>"+value+"</bpmn:script>"
	case "result":
		attrs = fmt.Sprintf(` c:resultVariable="%s"`, value)
	case "calls":
		attrs = fmt.Sprintf(` calledElement="%s"`, value)
	case "class", "delegateExpression", "triggerable", "skipExpression", "assignee", "candidateUsers", "candidateGroups", "dueDate", "priority", "formKey", "decisionRef", "mapDecisionResult", "initiator", "topic", "type", "calledElementBinding", "calledElementVersion", "calledElementVersionTag":
		attrs = fmt.Sprintf(` c:%s="%s"`, key, value)
	case "listen":
		ext = fmt.Sprintf(`<c:executionListener event="%s" class="%s"/>`, name, rest)
	case "task":
		timer := ""
		if name == "timeout" {
			rest, timer, _ = strings.Cut(rest, "/")
			timer = `<bpmn:timerEventDefinition><bpmn:timeDuration>` + timer + `</bpmn:timeDuration></bpmn:timerEventDefinition>`
		}
		ext = fmt.Sprintf(`<c:taskListener id="%s" event="%s" class="%s">%s</c:taskListener>`, name, name, rest, timer)
	case "retry":
		ext = fmt.Sprintf(`<c:failedJobRetryTimeCycle>%s</c:failedJobRetryTimeCycle>`, value)
	case "in", "out":
		from, to, _ := strings.Cut(value, "&gt;")
		switch {
		case from == "*":
			ext = fmt.Sprintf(`<c:%s variables="all"/>`, key)
		case strings.HasPrefix(from, "$"):
			ext = fmt.Sprintf(`<c:%s sourceExpression="%s" target="%s"/>`, key, from, to)
		default:
			ext = fmt.Sprintf(`<c:%s source="%s" target="%s"/>`, key, from, to)
		}
	case "take", "give":
		name, expr, _ := strings.Cut(value, "=")
		tag := map[string]string{"take": "inputParameter", "give": "outputParameter"}[key]
		ext = fmt.Sprintf(`<c:inputOutput><c:%s name="%s">%s</c:%s></c:inputOutput>`, tag, name, expr, tag)
	case "field":
		name, expr, _ := strings.Cut(value, "=")
		ext = fmt.Sprintf(`<c:field name="%s"><c:expression>%s</c:expression></c:field>`, name, expr)
	default:
		panic("attribute " + word)
	}
	return attrs, ext, inner
}

func loopXML(loop map[string]string) string {
	formal := func(tag, key string) string {
		if loop[key] == "" {
			return ""
		}
		return fmt.Sprintf(`<bpmn:%s xsi:type="bpmn:tFormalExpression">%s</bpmn:%s>`, tag, loop[key], tag)
	}
	_, all := loop["all"]
	_, each := loop["each"]
	switch {
	case all || each:
		attrs := ""
		if each {
			attrs = ` isSequential="true"`
		}
		if c := loop["all"] + loop["each"]; c != "" && c != "count" {
			attrs += fmt.Sprintf(` c:collection="%s"`, c)
		}
		if loop["as"] != "" {
			attrs += fmt.Sprintf(` c:elementVariable="%s"`, loop["as"])
		}
		return "<bpmn:multiInstanceLoopCharacteristics" + attrs + ">" + formal("loopCardinality", "count") + formal("completionCondition", "done") + "</bpmn:multiInstanceLoopCharacteristics>"
	case loop["loop"] != "" || loop["max"] != "":
		attrs := ""
		if _, ok := loop["first"]; ok {
			attrs = ` testBefore="true"`
		}
		if loop["max"] != "" {
			attrs += fmt.Sprintf(` loopMaximum="%s"`, loop["max"])
		}
		return "<bpmn:standardLoopCharacteristics" + attrs + ">" + formal("loopCondition", "loop") + "</bpmn:standardLoopCharacteristics>"
	}
	return ""
}

// compileModel decodes a model; problems that forbid deployment fail the test.
func compileModel(t testing.TB, text string) *bpmn.Process {
	t.Helper()
	doc, err := bpmn.Decode([]byte(modelXML(text)))
	if err != nil {
		t.Fatalf("%v\n%s", err, modelXML(text))
	}
	for _, p := range bpmn.Check(doc, nil) {
		if p.Severity == bpmn.Error {
			t.Fatalf("%s %s: %s\n%s", p.ElementID, p.Code, p.En, modelXML(text))
		}
	}
	return doc.Processes[0]
}
