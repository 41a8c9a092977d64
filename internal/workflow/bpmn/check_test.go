package bpmn

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func has(problems []Problem, code, element string, severity Severity) bool {
	for _, p := range problems {
		if p.Code == code && p.ElementID == element && p.Severity == severity {
			return true
		}
	}
	return false
}

const startEnd = `<startEvent id="s"/><sequenceFlow id="f1" sourceRef="s" targetRef="e"/><endEvent id="e"/>`

func start(definition string) string {
	return `<startEvent id="x">` + definition + `</startEvent><sequenceFlow id="f1" sourceRef="x" targetRef="e"/><endEvent id="e"/>`
}

func end(definition string) string {
	return `<startEvent id="s"/><sequenceFlow id="f1" sourceRef="s" targetRef="x"/><endEvent id="x">` + definition + `</endEvent>`
}

func boundaryOn(definition string) string {
	return chain(`<userTask id="x" name="X"/>`) + `<boundaryEvent id="b" attachedToRef="x">` + definition + `</boundaryEvent><sequenceFlow id="f3" sourceRef="b" targetRef="e"/>`
}

// One row per refusal: what is written, where it is reported, and how.
func TestProblems(t *testing.T) {
	timer := func(text string) string {
		return chain(`<intermediateCatchEvent id="x"><timerEventDefinition>` + text + `</timerEventDefinition></intermediateCatchEvent>`)
	}
	for _, c := range []struct {
		name, content, code, element string
		severity                     Severity
	}{
		// Outside release 1.
		{"complex gateway", chain(`<complexGateway id="x"/>`), "unsupported", "x", Error},
		{"ad-hoc", chain(`<adHocSubProcess id="x"/>`), "unsupported", "x", Error},
		{"transaction", chain(`<transaction id="x"/>`), "unsupported", "x", Error},
		{"choreography", chain(`<choreographyTask id="x"/>`), "unsupported", "x", Error},
		{"unknown element", startEnd + `<wormhole id="x"/>`, "unknown-element", "x", Error},
		{"compensation activity", chain(`<serviceTask id="x" isForCompensation="true" camunda:class="C"/>`), "unsupported", "x", Error},
		{"compensation throw", chain(`<intermediateThrowEvent id="x"><compensateEventDefinition/></intermediateThrowEvent>`), "unsupported", "x", Error},
		{"compensation boundary", boundaryOn(`<compensateEventDefinition/>`), "unsupported", "b", Error},
		{"escalation boundary", boundaryOn(`<escalationEventDefinition/>`), "unsupported", "b", Error},
		{"escalation end", end(`<escalationEventDefinition/>`), "unsupported", "x", Error},
		{"conditional catch", chain(`<intermediateCatchEvent id="x"><conditionalEventDefinition/></intermediateCatchEvent>`), "unsupported", "x", Error},
		{"cancel end", end(`<cancelEventDefinition/>`), "unsupported", "x", Error},
		{"multiple event", boundaryOn(`<timerEventDefinition><timeDuration>PT1H</timeDuration></timerEventDefinition><signalEventDefinition signalRef="sig"/>`), "unsupported", "b", Error},
		{"event definition by reference", start(`<eventDefinitionRef>d</eventDefinitionRef>`), "unsupported", "x", Error},
		{"instantiating receive task", chain(`<receiveTask id="x" instantiate="true" messageRef="m"/>`), "unsupported", "x", Error},
		{"instantiating event gateway", chain(`<eventBasedGateway id="x" instantiate="true"/>`), "unsupported", "x", Error},
		{"parallel event gateway", chain(`<eventBasedGateway id="x" eventGatewayType="Parallel"/>`), "unsupported", "x", Error},
		{"multi-instance behaviour", chain(`<userTask id="x" name="X"><multiInstanceLoopCharacteristics behavior="None"><loopCardinality>2</loopCardinality></multiInstanceLoopCharacteristics></userTask>`), "unsupported", "x", Error},
		{"variable aggregation", chain(`<userTask id="x" name="X"><multiInstanceLoopCharacteristics><extensionElements><flowable:variableAggregation target="t"/></extensionElements><loopCardinality>2</loopCardinality></multiInstanceLoopCharacteristics></userTask>`), "unsupported", "x", Error},
		{"case call", chain(`<callActivity id="x" calledElement="q" camunda:caseRef="c"/>`), "unsupported-attribute", "x", Error},
		{"other tenant", chain(`<callActivity id="x" calledElement="q" camunda:calledElementTenantId="t"/>`), "unsupported-attribute", "x", Error},
		{"drools", chain(`<businessRuleTask id="x" activiti:rules="r" activiti:class="C"/>`), "unsupported-attribute", "x", Error},
		{"event registry", chain(`<serviceTask id="x" flowable:class="C"><extensionElements><flowable:eventType>e</flowable:eventType></extensionElements></serviceTask>`), "unsupported-extension", "x", Error},
		{"mapping on a task", chain(`<serviceTask id="x" flowable:class="C"><extensionElements><flowable:in source="a" target="b"/></extensionElements></serviceTask>`), "unsupported-extension", "x", Error},
		{"engine event listener", startEnd + `<extensionElements><flowable:eventListener class="C"/></extensionElements>`, "unsupported-extension", "p", Error},
		{"listener after commit", chain(`<manualTask id="x"><extensionElements><flowable:executionListener event="start" class="C" onTransaction="committed"/></extensionElements></manualTask>`), "unsupported-attribute", "x", Error},
		{"zeebe", chain(`<manualTask id="x"><extensionElements><zeebe:ioMapping/></extensionElements></manualTask>`), "foreign-engine", "x", Warning},
		{"working-day calendar", chain(`<userTask id="x" name="X" activiti:businessCalendarName="c"/>`), "ignored-attribute", "x", Warning},
		{"data association", chain(`<manualTask id="x"><dataInputAssociation/></manualTask>`), "data-association", "x", Warning},
		{"data object value", startEnd + `<dataObject id="x"><extensionElements><activiti:value>1</activiti:value></extensionElements></dataObject>`, "initial-value", "x", Warning},
		// References.
		{"flow from nowhere", startEnd + `<sequenceFlow id="x" sourceRef="gone" targetRef="e"/>`, "unknown-reference", "x", Error},
		{"flow to nowhere", startEnd + `<sequenceFlow id="x" sourceRef="s"/>`, "unknown-reference", "x", Error},
		{"message", start(`<messageEventDefinition messageRef="gone"/>`), "unknown-reference", "x", Error},
		{"signal", start(`<signalEventDefinition signalRef="gone"/>`), "unknown-reference", "x", Error},
		{"no signal", end(`<signalEventDefinition/>`), "no-signal", "x", Error},
		{"no message", start(`<messageEventDefinition/>`), "no-message", "x", Error},
		{"no error", end(`<errorEventDefinition/>`), "no-error", "x", Error},
		{"boundary on nothing", startEnd + `<boundaryEvent id="x" attachedToRef="gone"><signalEventDefinition signalRef="sig"/></boundaryEvent>`, "unknown-reference", "x", Error},
		{"boundary on a gateway", chain(`<exclusiveGateway id="x"/>`) + `<boundaryEvent id="b" attachedToRef="x"><signalEventDefinition signalRef="sig"/></boundaryEvent>`, "boundary-host", "b", Error},
		{"boundary across scopes", chain(`<subProcess id="x"><startEvent id="i"/><userTask id="u" name="U"/><sequenceFlow id="fi" sourceRef="i" targetRef="u"/></subProcess>`) + `<boundaryEvent id="b" attachedToRef="u"><signalEventDefinition signalRef="sig"/></boundaryEvent>`, "cross-scope", "b", Error},
		{"flow across scopes", chain(`<subProcess id="x"><startEvent id="i"/><userTask id="u" name="U"/><sequenceFlow id="fi" sourceRef="i" targetRef="u"/></subProcess>`) + `<sequenceFlow id="y" sourceRef="u" targetRef="e"/>`, "cross-scope", "y", Error},
		{"flow declared in another scope", chain(`<subProcess id="x"><startEvent id="i"/><sequenceFlow id="y" sourceRef="s" targetRef="e"/></subProcess>`), "cross-scope", "y", Error},
		{"default of another node", chain(`<exclusiveGateway id="x" default="f1"/>`), "default-flow", "x", Error},
		{"default unknown", chain(`<userTask id="x" name="X" default="gone"/>`), "default-flow", "x", Error},
		{"default on a parallel gateway", chain(`<parallelGateway id="x" default="f2"/>`), "default-flow", "x", Error},
		{"duplicate node", startEnd + `<userTask id="s" name="S"/>`, "duplicate-id", "s", Error},
		{"duplicate across kinds", startEnd + `<textAnnotation id="f1"/>`, "duplicate-id", "f1", Error},
		{"no id", startEnd + `<userTask name="N"/>`, "missing-id", "", Error},
		{"bad id", `<startEvent id="a b"/>`, "bad-id", "a b", Error},
		{"link without catch", `<startEvent id="s"/><sequenceFlow id="f1" sourceRef="s" targetRef="x"/><intermediateThrowEvent id="x"><linkEventDefinition name="L"/></intermediateThrowEvent>`, "link", "x", Error},
		{"link caught twice", startEnd + `<intermediateCatchEvent id="a"><linkEventDefinition name="L"/></intermediateCatchEvent><intermediateCatchEvent id="x"><linkEventDefinition name="L"/></intermediateCatchEvent>`, "link", "x", Error},
		{"link never thrown", startEnd + `<intermediateCatchEvent id="x"><linkEventDefinition name="L"/></intermediateCatchEvent>`, "link", "x", Warning},
		{"link without name", startEnd + `<intermediateCatchEvent id="x"><linkEventDefinition/></intermediateCatchEvent>`, "link", "x", Error},
		// Shape.
		{"no start", `<endEvent id="e"/>`, "no-start", "p", Error},
		{"empty process", ``, "no-start", "p", Error},
		{"two none starts", startEnd + `<startEvent id="s2"/>`, "several-starts", "p", Error},
		{"two starts of one message", `<startEvent id="a"><messageEventDefinition messageRef="m"/></startEvent><startEvent id="b"><messageEventDefinition messageRef="m"/></startEvent>`, "several-starts", "p", Error},
		{"empty sub-process", chain(`<subProcess id="x"/>`), "no-start", "x", Error},
		{"two starts inside", chain(`<subProcess id="x"><startEvent id="i"/><startEvent id="j"/></subProcess>`), "several-starts", "x", Error},
		{"timer start inside", chain(`<subProcess id="x"><startEvent id="i"><timerEventDefinition><timeDuration>PT1H</timeDuration></timerEventDefinition></startEvent></subProcess>`), "event-type", "i", Error},
		{"error start", start(`<errorEventDefinition errorRef="E"/>`), "event-type", "x", Error},
		{"none event sub-process", startEnd + `<subProcess id="x" triggeredByEvent="true"><startEvent id="i"/></subProcess>`, "event-type", "i", Error},
		{"error that does not interrupt", startEnd + `<subProcess id="x" triggeredByEvent="true"><startEvent id="i" isInterrupting="false"><errorEventDefinition/></startEvent></subProcess>`, "error-interrupts", "i", Error},
		{"none catch", chain(`<intermediateCatchEvent id="x"/>`), "event-type", "x", Error},
		{"none boundary", boundaryOn(``), "event-type", "b", Error},
		{"timer end", end(`<timerEventDefinition><timeDuration>PT1H</timeDuration></timerEventDefinition>`), "event-type", "x", Error},
		{"terminate throw", chain(`<intermediateThrowEvent id="x"><terminateEventDefinition/></intermediateThrowEvent>`), "event-type", "x", Error},
		{"flow into a start event", startEnd + `<sequenceFlow id="y" sourceRef="s" targetRef="s"/>`, "flow-in", "s", Error},
		{"flow out of an end event", chain(`<endEvent id="x"/>`), "flow-out", "x", Error},
		{"flow into an event sub-process", startEnd + `<subProcess id="x" triggeredByEvent="true"><startEvent id="i"><signalEventDefinition signalRef="sig"/></startEvent></subProcess><sequenceFlow id="y" sourceRef="s" targetRef="x"/>`, "flow-in", "x", Error},
		{"event gateway to a task", chain(`<eventBasedGateway id="x"/>`), "event-gateway", "x", Error},
		{"event gateway without flows", `<startEvent id="s"/><sequenceFlow id="f1" sourceRef="s" targetRef="x"/><eventBasedGateway id="x"/>`, "event-gateway", "x", Error},
		{"event gateway with a shared target", `<startEvent id="s"/><eventBasedGateway id="x"/><intermediateCatchEvent id="a"><signalEventDefinition signalRef="sig"/></intermediateCatchEvent><receiveTask id="b" messageRef="m"/><manualTask id="t"/>` +
			flows("s>x", "x>a", "x>b", "a>t", "t>b"), "event-gateway", "x", Error},
		{"unreachable", startEnd + `<userTask id="x" name="X"/>`, "unreachable", "x", Warning},
		{"gateway without way out", `<startEvent id="s"/><sequenceFlow id="f1" sourceRef="s" targetRef="x"/><exclusiveGateway id="x"/>`, "dead-end", "x", Warning},
		{"condition behind a parallel gateway", chain(`<parallelGateway id="x"/>`) + `<sequenceFlow id="y" sourceRef="x" targetRef="e"><conditionExpression>${a}</conditionExpression></sequenceFlow>`, "condition-ignored", "x", Warning},
		{"exclusive flow without condition", chain(`<exclusiveGateway id="x"/>`) + `<sequenceFlow id="y" sourceRef="x" targetRef="e"/>`, "no-condition", "x", Warning},
		{"no default", `<startEvent id="s"/><sequenceFlow id="f1" sourceRef="s" targetRef="x"/><exclusiveGateway id="x"/><endEvent id="e"/><sequenceFlow id="y" sourceRef="x" targetRef="e"><conditionExpression>${a}</conditionExpression></sequenceFlow><sequenceFlow id="z" sourceRef="x" targetRef="e"><conditionExpression>${b}</conditionExpression></sequenceFlow>`, "no-default", "x", Warning},
		{"empty condition", `<startEvent id="s"/><endEvent id="e"/><sequenceFlow id="x" sourceRef="s" targetRef="e"><conditionExpression/></sequenceFlow>`, "empty-condition", "x", Warning},
		{"call of itself", chain(`<callActivity id="x" calledElement="p"/>`), "recursion", "x", Warning},
		// Content.
		{"user task without name", chain(`<userTask id="x"/>`), "no-name", "x", Warning},
		{"service without code", chain(`<serviceTask id="x"/>`), "no-implementation", "x", Error},
		{"send without code", chain(`<sendTask id="x"/>`), "no-implementation", "x", Error},
		{"rule without decision", chain(`<businessRuleTask id="x"/>`), "no-implementation", "x", Error},
		{"two implementations", chain(`<serviceTask id="x" camunda:class="C" camunda:expression="${a}"/>`), "several-implementations", "x", Error},
		{"delegate that is no name", chain(`<serviceTask id="x" camunda:delegateExpression="${a.b}"/>`), "delegate", "x", Error},
		{"delegate without braces", chain(`<serviceTask id="x" camunda:delegateExpression="bean"/>`), "delegate", "x", Error},
		{"external without topic", chain(`<serviceTask id="x" camunda:type="external"/>`), "no-topic", "x", Error},
		{"script without format", chain(`<scriptTask id="x"><script>1</script></scriptTask>`), "script-format", "x", Error},
		{"groovy", chain(`<scriptTask id="x" scriptFormat="groovy"><script>1</script></scriptTask>`), "script-format", "x", Error},
		{"empty script", chain(`<scriptTask id="x" scriptFormat="js"><script> </script></scriptTask>`), "empty-script", "x", Error},
		{"call of nothing", chain(`<callActivity id="x"/>`), "no-called-element", "x", Error},
		{"version missing", chain(`<callActivity id="x" calledElement="q" camunda:calledElementBinding="version"/>`), "binding", "x", Error},
		{"tag missing", chain(`<callActivity id="x" calledElement="q" camunda:calledElementBinding="versionTag"/>`), "binding", "x", Error},
		{"odd binding", chain(`<callActivity id="x" calledElement="q" camunda:calledElementBinding="newest"/>`), "binding", "x", Error},
		{"odd decision result", chain(`<businessRuleTask id="x" camunda:decisionRef="d" camunda:mapDecisionResult="best"/>`), "decision-result", "x", Error},
		{"incomplete mapping", chain(`<callActivity id="x" calledElement="q"><extensionElements><camunda:in source="a"/></extensionElements></callActivity>`), "mapping", "x", Error},
		{"listener event", chain(`<manualTask id="x"><extensionElements><camunda:executionListener event="begin" class="C"/></extensionElements></manualTask>`), "listener-event", "x", Error},
		{"listener without code", chain(`<manualTask id="x"><extensionElements><camunda:executionListener event="start"/></extensionElements></manualTask>`), "listener-code", "x", Error},
		{"listener with two codes", chain(`<manualTask id="x"><extensionElements><camunda:executionListener event="start" class="C" expression="${a}"/></extensionElements></manualTask>`), "listener-code", "x", Error},
		{"timeout without timer", chain(`<userTask id="x" name="X"><extensionElements><camunda:taskListener event="timeout" class="C"/></extensionElements></userTask>`), "listener-timer", "x", Error},
		{"items missing", chain(`<serviceTask id="x" camunda:class="C"><multiInstanceLoopCharacteristics/></serviceTask>`), "no-collection", "x", Error},
		{"items of a user task", chain(`<userTask id="x" name="X"><multiInstanceLoopCharacteristics/></userTask>`), "no-collection", "x", Warning},
		{"endless loop", chain(`<manualTask id="x"><standardLoopCharacteristics/></manualTask>`), "endless-loop", "x", Error},
		{"loop maximum", chain(`<manualTask id="x"><standardLoopCharacteristics loopMaximum="many"/></manualTask>`), "loop-maximum", "x", Error},
		{"form field twice", chain(`<userTask id="x" name="X"><extensionElements><camunda:formData><camunda:formField id="a"/><camunda:formField id="a"/></camunda:formData></extensionElements></userTask>`), "form-field", "x", Error},
		{"retry", chain(`<manualTask id="x"><extensionElements><camunda:failedJobRetryTimeCycle>R0/PT1M</camunda:failedJobRetryTimeCycle></extensionElements></manualTask>`), "retry", "x", Error},
		{"literal condition", `<startEvent id="s"/><endEvent id="e"/><sequenceFlow id="x" sourceRef="s" targetRef="e"><conditionExpression>days > 3</conditionExpression></sequenceFlow>`, "condition", "x", Error},
		{"condition syntax", `<startEvent id="s"/><endEvent id="e"/><sequenceFlow id="x" sourceRef="s" targetRef="e"><conditionExpression>${days &gt;}</conditionExpression></sequenceFlow>`, "expression", "x", Error},
		{"assignee syntax", chain(`<userTask id="x" name="X" camunda:assignee="${a"/>`), "expression", "x", Error},
		{"external script condition", `<startEvent id="s"/><endEvent id="e"/><sequenceFlow id="x" sourceRef="s" targetRef="e"><conditionExpression camunda:resource="a.js"/></sequenceFlow>`, "script-format", "x", Error},
		{"groovy condition", `<startEvent id="s"/><endEvent id="e"/><sequenceFlow id="x" sourceRef="s" targetRef="e"><conditionExpression language="groovy">a</conditionExpression></sequenceFlow>`, "script-format", "x", Error},
		{"looping event sub-process", startEnd + `<subProcess id="x" triggeredByEvent="true"><startEvent id="i"><signalEventDefinition signalRef="sig"/></startEvent><standardLoopCharacteristics loopMaximum="2"/></subProcess>`, "loop-place", "x", Error},
		{"one error caught twice", boundaryOn(`<errorEventDefinition errorRef="E"/>`) + `<boundaryEvent id="c" attachedToRef="x"><errorEventDefinition errorRef="E"/></boundaryEvent>`, "same-error", "c", Error},
		{"one error handled twice", startEnd + `<subProcess id="v" triggeredByEvent="true"><startEvent id="i"><errorEventDefinition/></startEvent></subProcess><subProcess id="w" triggeredByEvent="true"><startEvent id="x"><errorEventDefinition/></startEvent></subProcess>`, "same-error", "x", Error},
		{"due date", chain(`<userTask id="x" name="X" camunda:dueDate="soon"/>`), "due-date", "x", Error},
		{"priority", chain(`<userTask id="x" name="X" camunda:priority="high"/>`), "number", "x", Error},
		{"version", chain(`<callActivity id="x" calledElement="q" camunda:calledElementBinding="version" camunda:calledElementVersion="v1"/>`), "number", "x", Error},
		{"end of a cycle", timer(`<timeCycle activiti:endDate="never">R/PT1H</timeCycle>`), "due-date", "x", Error},
		{"no timer", timer(``), "timer", "x", Error},
		{"two timers", timer(`<timeDate>2030-01-01</timeDate><timeDuration>PT1H</timeDuration>`), "timer", "x", Error},
		{"bad date", timer(`<timeDate>tomorrow</timeDate>`), "timer", "x", Error},
		{"bad duration", timer(`<timeDuration>1 hour</timeDuration>`), "timer", "x", Error},
		{"day as time", timer(`<timeDuration>PT1D</timeDuration>`), "timer", "x", Error},
		{"bad cycle", timer(`<timeCycle>PT1H</timeCycle>`), "timer", "x", Error},
		{"bad cron", timer(`<timeCycle>0 0 25 * * ?</timeCycle>`), "timer", "x", Error},
	} {
		t.Run(c.name, func(t *testing.T) {
			problems := decode(t, file(`<message id="m" name="m"/><signal id="sig" name="sig"/>`, c.content)).Problems
			if !has(problems, c.code, c.element, c.severity) {
				t.Errorf("want %s %s at %q, got %+v", c.severity, c.code, c.element, problems)
			}
			for _, p := range problems {
				if p.Zh == "" || p.En == "" || p.ElementType == "" || p.At.Line == 0 {
					t.Errorf("incomplete problem %+v", p)
				}
				if strings.ContainsFunc(p.En, func(r rune) bool { return r > 0x2fff && r < 0xfe00 }) {
					t.Errorf("Chinese in the English text %q", p.En)
				}
			}
		})
	}
}

func TestRootProblems(t *testing.T) {
	for _, c := range []struct {
		roots, code string
		severity    Severity
	}{
		{`<import id="x" location="a.xsd"/>`, "import", Warning},
		{`<extension id="x" mustUnderstand="true" definition="other:thing"/>`, "must-understand", Error},
		{`<message id="x"/><signal id="x"/>`, "duplicate-id", Error},
	} {
		if problems := decode(t, file(c.roots, startEnd)).Problems; !has(problems, c.code, "x", c.severity) {
			t.Errorf("%s: %+v", c.roots, problems)
		}
	}
	sound(t, file(`<extension definition="other:thing"/><itemDefinition id="i"/><interface id="n"><operation id="o"/></interface>`, startEnd))
	if doc := decode(t, header+`</definitions>`); !has(doc.Problems, "no-process", "defs", Error) {
		t.Errorf("%+v", doc.Problems)
	}
}

// A file without problems stays without: no false alarm on usual models.
func TestNoProblems(t *testing.T) {
	for name, content := range map[string]string{
		"message end":        end(`<messageEventDefinition messageRef="m"/>`),
		"terminate end":      end(`<terminateEventDefinition/>`),
		"catch-all boundary": boundaryOn(`<errorEventDefinition/>`),
		"duration boundary":  boundaryOn(`<timerEventDefinition><timeDuration>${wait}</timeDuration></timerEventDefinition>`),
		"event gateway": `<startEvent id="s"/><eventBasedGateway id="g"/><intermediateCatchEvent id="a"><timerEventDefinition><timeDate>2030-01-01T00:00:00</timeDate></timerEventDefinition></intermediateCatchEvent><receiveTask id="b" messageRef="m"/><endEvent id="e"/>` +
			flows("s>g", "g>a", "g>b", "a>e", "b>e"),
		"script condition": `<startEvent id="s"/><exclusiveGateway id="g" default="d"/><endEvent id="e"/><sequenceFlow id="f" sourceRef="s" targetRef="g"/><sequenceFlow id="d" sourceRef="g" targetRef="e"/><sequenceFlow id="c" sourceRef="g" targetRef="e"><conditionExpression language="javascript">a &gt; 1</conditionExpression></sequenceFlow>`,
		"XPath named":      `<startEvent id="s"/><exclusiveGateway id="g" default="d"/><endEvent id="e"/><sequenceFlow id="f" sourceRef="s" targetRef="g"/><sequenceFlow id="d" sourceRef="g" targetRef="e"/><sequenceFlow id="c" sourceRef="g" targetRef="e"><conditionExpression language="http://www.w3.org/1999/XPath">${a}</conditionExpression></sequenceFlow>`,
		"drawings":         startEnd + `<laneSet id="ls"><lane id="l"><flowNodeRef>s</flowNodeRef></lane></laneSet><textAnnotation id="t"><text>x</text></textAnnotation><association id="a" sourceRef="t" targetRef="s"/><group id="g"/><dataObject id="d"/><dataObjectReference id="r" dataObjectRef="d"/>`,
		"two triggers":     `<startEvent id="s"/><startEvent id="s2"><messageEventDefinition messageRef="m"/></startEvent><endEvent id="e"/>` + flows("s>e", "s2>e"),
		"Chinese ids":      `<startEvent id="开始"/><endEvent id="结束"/>` + flows("开始>结束"),
	} {
		t.Run(name, func(t *testing.T) { sound(t, file(`<message id="m" name="m"/>`, content)) })
	}
}

func TestKnown(t *testing.T) {
	doc := decode(t, vendorFile("camunda"))
	if problems := Check(doc, func(UseKind, string) bool { return true }); len(problems) > 0 {
		t.Errorf("%+v", problems)
	}
	asked := map[string]bool{}
	problems := Check(doc, func(kind UseKind, name string) bool { asked[string(kind)+" "+name] = true; return false })
	for _, want := range []string{"execution a.Log", "task notify", "task a.Late", "service a.b.C", "decision grade", "process other", "call log.flow"} {
		if !asked[want] {
			t.Errorf("not asked for %s: %v", want, asked)
		}
	}
	if !has(problems, "unknown-service", "svc", Error) || !has(problems, "unknown-decision", "rule", Error) ||
		!has(problems, "unknown-process", "call", Warning) || !has(problems, "unknown-call", "f1", Error) || !has(problems, "unknown-task", "u", Error) {
		t.Errorf("%+v", problems)
	}
	if Deployable(problems) || !Deployable(nil) {
		t.Error("Deployable")
	}
	for i := 1; i < len(problems); i++ {
		if byPosition(problems[i-1], problems[i]) > 0 {
			t.Error("problems are not in the order of the file")
		}
	}
}

// The list of a hopeless file ends, with an error that stands for the rest.
func TestTooManyProblems(t *testing.T) {
	doc := decode(t, file("", startEnd+strings.Repeat(`<userTask id="x" name="X"/>`, 2_000)))
	if n := len(doc.Problems); n != maxProblems+1 {
		t.Errorf("%d problems", n)
	}
	found := false
	for _, p := range doc.Problems {
		found = found || p.Code == "too-many-problems" && p.Severity == Error
	}
	if !found {
		t.Error("the end of the list is not said")
	}
}

func TestProblemText(t *testing.T) {
	text := file("", "\n  "+chain(`<!-- 说明 --> <userTask id="x" name="审批" camunda:assignee="${a +}"/>`))
	p := decode(t, text).Problems[0]
	before := text[:strings.Index(text, "<userTask")]
	want := Position{strings.Count(before, "\n") + 1, utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:]) + 1}
	if p.At != want || p.Text("en") != p.En || p.Text("zh") != p.Zh || !strings.HasPrefix(p.Error(), "第 ") || !strings.Contains(p.En, "column") {
		t.Errorf("%+v, want %v", p, want)
	}
}
