package bpmn

import (
	"fmt"
	"strings"
	"testing"
)

const header = `<?xml version="1.0" encoding="UTF-8"?>
<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
 xmlns:camunda="http://camunda.org/schema/1.0/bpmn" xmlns:activiti="http://activiti.org/bpmn" xmlns:flowable="http://flowable.org/bpmn"
 xmlns:zeebe="http://camunda.org/schema/zeebe/1.0" id="defs" targetNamespace="urn:test">
`

// file makes a file of root elements and one executable process.
func file(roots, content string) string {
	return header + roots + "\n<process id=\"p\" name=\"P\" isExecutable=\"true\">\n" + content + "\n</process></definitions>"
}

// chain makes start → element → end; the element's id must be x.
func chain(element string) string {
	return `<startEvent id="s"/><sequenceFlow id="f1" sourceRef="s" targetRef="x"/>` + element +
		`<sequenceFlow id="f2" sourceRef="x" targetRef="e"/><endEvent id="e"/>`
}

func decode(t *testing.T, text string) *Document {
	t.Helper()
	doc, err := Decode([]byte(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return doc
}

// sound decodes a file that must have no problem at all.
func sound(t *testing.T, text string) *Process {
	t.Helper()
	doc := decode(t, text)
	for _, p := range doc.Problems {
		t.Errorf("problem %s at %s %s: %s", p.Code, p.ElementType, p.ElementID, p.En)
	}
	if len(doc.Processes) == 0 {
		t.Fatal("no process")
	}
	return doc.Processes[0]
}

func node(t *testing.T, p *Process, id string) *Node {
	t.Helper()
	i, ok := p.Node(id)
	if !ok {
		t.Fatalf("no node %s", id)
	}
	return &p.Nodes[i]
}

// flows draws "a>b" as a sequence flow "a-b".
func flows(pairs ...string) string {
	var b strings.Builder
	for _, pair := range pairs {
		from, to, _ := strings.Cut(pair, ">")
		fmt.Fprintf(&b, `<sequenceFlow id="%s-%s" sourceRef="%s" targetRef="%s"/>`, from, to, from, to)
	}
	return b.String()
}
