package bpmn

import (
	"reflect"
	"strings"
	"testing"
)

// everyAttribute has P: for the vendor prefix.
const everyAttribute = `<process id="p" name="P" isExecutable="true" P:versionTag="v1" P:historyTimeToLive="P30D" P:jobPriority="5"
 P:candidateStarterUsers="1,2" P:candidateStarterGroups="staff" P:isStartableInTasklist="false">
<documentation>first</documentation><documentation>second</documentation>
<extensionElements><P:executionListener event="start" class="a.Log"/><P:properties><P:property id="1" name="k" value="v"/></P:properties></extensionElements>
<startEvent id="s" P:initiator="starter" P:formKey="7"/>
<sequenceFlow id="f1" sourceRef="s" targetRef="u" P:skipExpression="${skip}"><extensionElements><P:executionListener event="take" expression="${log.flow(1)}"/>
 <P:condition id="c1" field="days" compare="gt" value="3" logic="and" sort="1"/></extensionElements></sequenceFlow>
<userTask id="u" name="Review" P:assignee="${boss}" P:candidateUsers="1, ${list(a,'x,y')} ,2" P:candidateGroups="g" P:dueDate="${due}" P:followUpDate="P2D"
 P:priority="50" P:asyncBefore="true" P:asyncAfter="true" P:exclusive="false" P:candidateStrategy="30" P:candidateParam="1,2" P:skipExpression="${skip}" default="f3">
 <extensionElements><P:failedJobRetryTimeCycle>R5/PT10M</P:failedJobRetryTimeCycle>
  <P:taskListener event="create" delegateExpression="${notify}" id="l1"><P:field name="text"><P:string>hello</P:string></P:field><P:field name="to" expression="${boss}"/></P:taskListener>
  <P:taskListener event="timeout" class="a.Late" id="l2"><timerEventDefinition id="td"><timeDuration>PT1H</timeDuration></timerEventDefinition></P:taskListener>
  <P:formData businessKey="days"><P:formField id="days" label="Days" type="long" defaultValue="1"><P:validation><P:constraint name="required"/><P:constraint name="max" config="9"/></P:validation></P:formField>
   <P:formField id="kind" label="Kind" type="enum"><P:value id="1" name="sick"/><P:value id="2" name="other"/></P:formField></P:formData>
  <P:inputOutput><P:inputParameter name="a">${b}</P:inputParameter><P:inputParameter name="l"><P:list><P:value>1</P:value><P:script scriptFormat="javascript">1</P:script></P:list></P:inputParameter>
   <P:outputParameter name="m"><P:map><P:entry key="k">v</P:entry></P:map></P:outputParameter></P:inputOutput>
  <P:button id="b1" name="Approve" code="1"/><P:approveMethod>3</P:approveMethod></extensionElements>
 <multiInstanceLoopCharacteristics isSequential="true" P:collection="coll_userList" P:elementVariable="user" P:asyncBefore="true"><completionCondition xsi:type="tFormalExpression">${nrOfCompletedInstances > 0}</completionCondition></multiInstanceLoopCharacteristics></userTask>
<sequenceFlow id="f2" sourceRef="u" targetRef="call"><conditionExpression xsi:type="tFormalExpression">${days &gt; 3}</conditionExpression></sequenceFlow>
<sequenceFlow id="f3" sourceRef="u" targetRef="svc"/>
<callActivity id="call" calledElement="other" P:calledElementBinding="version" P:calledElementVersion="3"><extensionElements><P:in source="a" target="b"/><P:in variables="all"/><P:in businessKey="${key}"/><P:out sourceExpression="${x+1}" target="y"/></extensionElements></callActivity>
<sequenceFlow id="f4" sourceRef="call" targetRef="svc"/>
<serviceTask id="svc" P:class="a.b.C" P:resultVariable="r"><extensionElements><P:field name="n" stringValue="5"/></extensionElements></serviceTask>
<sequenceFlow id="f5" sourceRef="svc" targetRef="script"/>
<scriptTask id="script" scriptFormat="javascript" P:resultVariable="z"><script>a + 1</script></scriptTask>
<sequenceFlow id="f6" sourceRef="script" targetRef="rule"/>
<businessRuleTask id="rule" P:decisionRef="grade" P:mapDecisionResult="singleEntry" P:resultVariable="g"/>
<sequenceFlow id="f7" sourceRef="rule" targetRef="e"/>
<endEvent id="e"/><boundaryEvent id="b" attachedToRef="svc" cancelActivity="true"><errorEventDefinition errorRef="E42" P:errorCodeVariable="code" P:errorMessageVariable="msg"/></boundaryEvent>
<sequenceFlow id="f8" sourceRef="b" targetRef="e"/></process></definitions>`

func vendorFile(prefix string) string {
	return header + strings.ReplaceAll(everyAttribute, "P:", prefix+":")
}

// The three namespaces say the same thing, whatever the prefix.
func TestVendorsAreAliases(t *testing.T) {
	first := decode(t, vendorFile("camunda"))
	for _, p := range first.Problems {
		t.Errorf("%s %s: %s", p.Code, p.ElementID, p.En)
	}
	for _, prefix := range []string{"activiti", "flowable"} {
		doc := decode(t, vendorFile(prefix))
		if doc.Vendor != Vendor(prefix) {
			t.Errorf("vendor %q of a %s file", doc.Vendor, prefix)
		}
		if got, want := withoutPositions(doc.Processes[0]), withoutPositions(first.Processes[0]); !reflect.DeepEqual(got, want) {
			t.Errorf("%s gives another graph:\n%+v\n%+v", prefix, got, want)
		}
	}
	swapped := strings.NewReplacer("xmlns:camunda=\"http://camunda.org/schema/1.0/bpmn\"", "xmlns:camunda=\"http://activiti.org/bpmn\"",
		"xmlns:activiti=\"http://activiti.org/bpmn\"", "xmlns:activiti=\"urn:none\"").Replace(vendorFile("camunda"))
	if doc := decode(t, swapped); doc.Vendor != Activiti || len(doc.Problems) > 0 {
		t.Errorf("a camunda prefix bound to Activiti's URI: vendor %q, %v", doc.Vendor, doc.Problems)
	}
}

// withoutPositions copies a process with columns removed: prefixes differ in length.
func withoutPositions(p *Process) Process {
	c := *p
	c.Nodes = append([]Node(nil), p.Nodes...)
	c.Flows = append([]Flow(nil), p.Flows...)
	clear := func(list []Listener) []Listener {
		var out []Listener
		for _, l := range list {
			l.At = Position{}
			out = append(out, l)
		}
		return out
	}
	c.At, c.Listeners = Position{}, clear(p.Listeners)
	for i := range c.Nodes {
		n := &c.Nodes[i]
		n.At, n.Listeners, n.TaskListeners = Position{}, clear(n.Listeners), clear(n.TaskListeners)
	}
	for i := range c.Flows {
		c.Flows[i].At, c.Flows[i].Listeners = Position{}, clear(c.Flows[i].Listeners)
	}
	return c
}

func TestProcessMembers(t *testing.T) {
	p := sound(t, vendorFile("flowable"))
	if p.ID != "p" || p.Name != "P" || !p.Executable || p.VersionTag != "v1" || p.HistoryTTL != "P30D" || p.Startable ||
		p.Documentation != "first" || p.JobPriority.Source != "5" {
		t.Errorf("%+v", p)
	}
	if !reflect.DeepEqual(p.StarterUsers, []string{"1", "2"}) || !reflect.DeepEqual(p.StarterGroups, []string{"staff"}) {
		t.Errorf("starters %v %v", p.StarterUsers, p.StarterGroups)
	}
	if len(p.Listeners) != 1 || p.Listeners[0].Name != "a.Log" || p.Listeners[0].Kind != CodeClass || p.Listeners[0].Event != "start" {
		t.Errorf("listeners %+v", p.Listeners)
	}
	if !reflect.DeepEqual(p.Properties, []Property{{"1", "k", "v"}}) {
		t.Errorf("properties %+v", p.Properties)
	}
	if s := node(t, p, "s"); s.Initiator != "starter" || s.Form.Key.Source != "7" {
		t.Errorf("start %+v", s)
	}
	f1, _ := p.Flow("f1")
	f := p.Flows[f1]
	if f.Skip.Source != "${skip}" || f.Listeners[0].Kind != CodeExpression || f.Listeners[0].Event != "take" ||
		f.Extensions[0].Name != "condition" || f.Extensions[0].Attribute("compare") != "gt" {
		t.Errorf("flow %+v", f)
	}
	f2, _ := p.Flow("f2")
	if got := p.Flows[f2].Condition.Expression; got.Source != "${days > 3}" || got.Parsed == nil {
		t.Errorf("condition %+v", got)
	}
}

func TestUserTaskMembers(t *testing.T) {
	p := sound(t, vendorFile("camunda"))
	n := node(t, p, "u")
	u := n.User
	if u.Assignee.Source != "${boss}" || len(u.CandidateUsers) != 3 || u.CandidateUsers[1].Source != "${list(a,'x,y')}" ||
		u.CandidateGroups[0].Source != "g" || u.DueDate.Source != "${due}" || u.FollowUpDate.Source != "P2D" ||
		u.CandidateStrategy != "30" || u.CandidateParam != "1,2" {
		t.Errorf("%+v", u)
	}
	if !n.AsyncBefore || !n.AsyncAfter || n.Exclusive || n.Retry.Source != "R5/PT10M" || n.Skip.Source != "${skip}" {
		t.Errorf("async %+v", n)
	}
	if f, _ := p.Flow("f3"); n.Default != f {
		t.Errorf("default %d", n.Default)
	}
	l := n.TaskListeners
	if len(l) != 2 || l[0].Name != "notify" || l[0].Kind != CodeDelegate || l[0].ID != "l1" ||
		l[0].Fields[0].Value != "hello" || l[0].Fields[1].Expression.Source != "${boss}" || l[1].Timer.Text.Source != "PT1H" {
		t.Errorf("listeners %+v", l)
	}
	form := n.Form
	if form.BusinessKey != "days" || len(form.Fields) != 2 || !form.Fields[0].Required || form.Fields[0].Constraints[1] != (Property{Name: "max", Value: "9"}) ||
		form.Fields[1].Values[1] != (Property{ID: "2", Name: "other"}) || !form.Fields[1].Writable {
		t.Errorf("form %+v", form)
	}
	if n.Inputs[0].Value.Text.Source != "${b}" || n.Inputs[1].Value.Kind != ValueList || n.Inputs[1].Value.List[1].Script.Source != "1" ||
		n.Outputs[0].Value.Entries[0].Name != "k" || n.Outputs[0].Value.Entries[0].Value.Text.Source != "v" {
		t.Errorf("parameters %+v %+v", n.Inputs, n.Outputs)
	}
	if n.Extensions[0].Name != "button" || n.Extensions[0].Attribute("code") != "1" || n.Extensions[1].Text != "3" {
		t.Errorf("extensions %+v", n.Extensions)
	}
	loop := n.Loop
	if loop.Kind != LoopSequential || loop.Collection.Source != "coll_userList" || loop.Collection.Parsed.IsLiteral() ||
		loop.ElementVariable != "user" || !loop.AsyncBefore || !loop.Completion.Present() {
		t.Errorf("loop %+v", loop)
	}
}

func TestTaskMembers(t *testing.T) {
	p := sound(t, vendorFile("activiti"))
	call := node(t, p, "call").Call
	if call.Element.Source != "other" || call.Binding != BindVersion || call.Version.Source != "3" || call.BusinessKey.Source != "${key}" ||
		len(call.In) != 2 || !call.In[1].All || call.Out[0].SourceExpression.Source != "${x+1}" || call.Out[0].Target != "y" {
		t.Errorf("call %+v", call)
	}
	if s := node(t, p, "svc").Service; s.Kind != CodeClass || s.Name != "a.b.C" || s.ResultVariable != "r" || s.Fields[0].Value != "5" {
		t.Errorf("service %+v", s)
	}
	if s := node(t, p, "script").Script; s.Source != "a + 1" || s.Format != "javascript" || s.ResultVariable != "z" {
		t.Errorf("script %+v", s)
	}
	if d := node(t, p, "rule").Decision; d.Ref.Source != "grade" || d.Result != "singleEntry" || d.ResultVariable != "g" || d.Binding != BindLatest {
		t.Errorf("decision %+v", d)
	}
	b := node(t, p, "b")
	if b.AttachedTo != node(t, p, "svc").Index || b.Event.ErrorCode != "E42" || b.Event.CodeVariable != "code" || b.Event.MessageVariable != "msg" || !b.Interrupting {
		t.Errorf("boundary %+v", b)
	}
	if !reflect.DeepEqual(node(t, p, "svc").Boundaries, []int{b.Index}) {
		t.Error("the host does not know its boundary event")
	}
}

// Forms of one thing that only one of the engines writes.
func TestNativeForms(t *testing.T) {
	for _, c := range []struct {
		name, element string
		ok            func(*Node) bool
	}{
		{"flowable async", `<manualTask id="x" flowable:async="true" flowable:asyncLeave="1" flowable:asyncLeaveExclusive="false"/>`,
			func(n *Node) bool { return n.AsyncBefore && n.AsyncAfter && !n.Exclusive }},
		{"activiti form properties", `<userTask id="x" name="X"><extensionElements><activiti:formProperty id="a" name="A" type="enum" required="true" writable="false" variable="v" expression="${e}" default="d"><activiti:value id="1" name="one"/></activiti:formProperty></extensionElements></userTask>`,
			func(n *Node) bool {
				f := n.Form.Fields[0]
				return f.ID == "a" && f.Label == "A" && f.Required && !f.Writable && f.Readable && f.Variable == "v" && f.Values[0].Name == "one"
			}},
		{"potential owner", `<userTask id="x" name="X"><humanPerformer><resourceAssignmentExpression><formalExpression>kim</formalExpression></resourceAssignmentExpression></humanPerformer><potentialOwner><resourceAssignmentExpression><formalExpression>user(a), group(b), c</formalExpression></resourceAssignmentExpression></potentialOwner></userTask>`,
			func(n *Node) bool {
				u := n.User
				return u.Assignee.Source == "kim" && len(u.CandidateUsers) == 1 && u.CandidateUsers[0].Source == "a" && len(u.CandidateGroups) == 2 && u.CandidateGroups[1].Source == "c"
			}},
		{"owner written as expression", `<userTask id="x" name="X"><potentialOwner><resourceAssignmentExpression><expression xsi:type="tFormalExpression">g</expression></resourceAssignmentExpression></potentialOwner></userTask>`,
			func(n *Node) bool { return n.User.CandidateGroups[0].Source == "g" }},
		{"strategy elements", `<userTask id="x" name="X"><extensionElements><flowable:candidateStrategy>10</flowable:candidateStrategy><flowable:candidateParam>1,2</flowable:candidateParam></extensionElements></userTask>`,
			func(n *Node) bool { return n.User.CandidateStrategy == "10" && n.User.CandidateParam == "1,2" }},
		{"external worker", `<serviceTask id="x" flowable:type="external-worker" flowable:topic="t"/>`,
			func(n *Node) bool { return n.Service.Kind == CodeExternal && n.Service.Name == "t" }},
		{"mail", `<serviceTask id="x" activiti:type="mail"><extensionElements><activiti:field name="to"><activiti:expression>${to}</activiti:expression></activiti:field></extensionElements></serviceTask>`,
			func(n *Node) bool {
				return n.Service.Kind == CodeTyped && n.Service.Name == "mail" && n.Service.Fields[0].Expression.Source == "${to}"
			}},
		{"connector", `<serviceTask id="x"><extensionElements><camunda:connector><camunda:inputOutput><camunda:inputParameter name="url">u</camunda:inputParameter></camunda:inputOutput><camunda:connectorId>http-connector</camunda:connectorId></camunda:connector></extensionElements></serviceTask>`,
			func(n *Node) bool {
				return n.Service.Kind == CodeConnector && n.Service.Name == "http-connector" && n.Service.Inputs[0].Name == "url" && n.Inputs == nil
			}},
		{"legacy result name", `<serviceTask id="x" activiti:expression="${bean.go()}" activiti:resultVariableName="r"/>`,
			func(n *Node) bool {
				return n.Service.Kind == CodeExpression && n.Service.ResultVariable == "r" && n.Service.Expression.Parsed != nil
			}},
		{"same deployment", `<callActivity id="x" calledElement="q" flowable:sameDeployment="true" flowable:inheritVariables="true"/>`,
			func(n *Node) bool { return n.Call.Binding == BindDeployment && n.Call.InheritVariables }},
		{"data input items", `<userTask id="x" name="X"><multiInstanceLoopCharacteristics><loopDataInputRef>people</loopDataInputRef><inputDataItem name="person"/></multiInstanceLoopCharacteristics></userTask>`,
			func(n *Node) bool {
				return n.Loop.Collection.Source == "people" && n.Loop.ElementVariable == "person" && n.Loop.Kind == LoopParallel
			}},
		{"standard loop", `<manualTask id="x"><standardLoopCharacteristics testBefore="true" loopMaximum="3"><loopCondition>${more}</loopCondition></standardLoopCharacteristics></manualTask>`,
			func(n *Node) bool { return n.Loop.Kind == LoopStandard && n.Loop.TestBefore && n.Loop.Maximum == 3 }},
		{"exception map", `<serviceTask id="x" activiti:class="C"><extensionElements><activiti:mapException errorCode="E">java.lang.Exception</activiti:mapException></extensionElements></serviceTask>`,
			func(n *Node) bool { return n.Mapped[0] == ErrorMapping{"E", "java.lang.Exception"} }},
		{"script listener", `<manualTask id="x"><extensionElements><flowable:executionListener event="end" type="script"><flowable:script language="javascript" resultVariable="r">1</flowable:script></flowable:executionListener></extensionElements></manualTask>`,
			func(n *Node) bool {
				return n.Listeners[0].Kind == CodeScript && n.Listeners[0].Script.ResultVariable == "r"
			}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if n := node(t, sound(t, file("", chain(c.element))), "x"); !c.ok(n) {
				t.Errorf("%+v", n)
			}
		})
	}
}

func TestExecutableDefault(t *testing.T) {
	body := `<process id="p"%s><startEvent id="s"/><sequenceFlow id="f" sourceRef="s" targetRef="e"/><endEvent id="e"%s/></process></definitions>`
	for _, c := range []struct {
		attribute, vendor string
		want              bool
	}{
		{``, ``, true}, {``, ` flowable:exclusive="true"`, true}, {``, ` camunda:exclusive="true"`, false},
		{` isExecutable="true"`, ` camunda:exclusive="true"`, true}, {` isExecutable="false"`, ` flowable:exclusive="true"`, false}, {` isExecutable="1"`, ``, true},
	} {
		text := header + strings.Replace(strings.Replace(body, "%s", c.attribute, 1), "%s", c.vendor, 1)
		doc := decode(t, text)
		if doc.Processes[0].Executable != c.want || Deployable(doc.Problems) != c.want {
			t.Errorf("%q %q: executable %v, problems %v", c.attribute, c.vendor, doc.Processes[0].Executable, doc.Problems)
		}
	}
}

func TestPotentialStarters(t *testing.T) {
	p := sound(t, file("", startEnd+`<extensionElements><activiti:potentialStarter><resourceAssignmentExpression><formalExpression>group(staff), user(kim)</formalExpression></resourceAssignmentExpression></activiti:potentialStarter></extensionElements>`))
	if !reflect.DeepEqual(p.StarterUsers, []string{"kim"}) || !reflect.DeepEqual(p.StarterGroups, []string{"staff"}) {
		t.Errorf("%v %v", p.StarterUsers, p.StarterGroups)
	}
}

func TestCalledKey(t *testing.T) {
	for written, want := range map[string]string{"q": "q", "tns:q": "q", "${a:b}": "${a:b}", "q:3:0b1f": "q:3:0b1f"} {
		if got := calledKey(written); got != want {
			t.Errorf("%s: %s", written, got)
		}
	}
}

// A process that is not executable beside one that is may hold anything.
func TestIllustrationDoesNotForbid(t *testing.T) {
	text := header + `<process id="drawn" isExecutable="false"><startEvent id="s1"/><complexGateway id="g"/><serviceTask id="t" camunda:class="C"/></process>
<process id="run" isExecutable="true"><startEvent id="s"/><sequenceFlow id="f" sourceRef="s" targetRef="e"/><endEvent id="e"/></process></definitions>`
	problems := Check(decode(t, text), func(UseKind, string) bool { return false })
	if !Deployable(problems) || !has(problems, "unsupported", "g", Warning) || !has(problems, "unknown-service", "t", Warning) {
		t.Errorf("%+v", problems)
	}
	alone := strings.Replace(text, `id="run" isExecutable="true"`, `id="run" isExecutable="false"`, 1)
	if problems := decode(t, alone).Problems; !has(problems, "unsupported", "g", Error) || !has(problems, "not-executable", "drawn", Error) {
		t.Errorf("%+v", problems)
	}
}

func TestScopes(t *testing.T) {
	p := sound(t, file(`<message id="m" name="go"/>`, `<startEvent id="s"/><subProcess id="sub"><startEvent id="si"/><userTask id="ui" name="U"/><endEvent id="ei"/>`+flows("si>ui", "ui>ei")+
		`<subProcess id="ev" triggeredByEvent="true"><startEvent id="se" isInterrupting="false"><messageEventDefinition messageRef="m"/></startEvent><endEvent id="ee"/>`+flows("se>ee")+`</subProcess></subProcess><endEvent id="e"/>`+flows("s>sub", "sub>e")))
	sub, ev, ui := node(t, p, "sub"), node(t, p, "ev"), node(t, p, "ui")
	names := func(list []int) (ids []string) {
		for _, i := range list {
			ids = append(ids, p.Nodes[i].ID)
		}
		return ids
	}
	for _, c := range []struct{ got, want []string }{
		{names(p.Children), []string{"s", "sub", "e"}}, {names(p.Starts), []string{"s"}}, {names(p.EventSubs), nil},
		{names(sub.Children), []string{"si", "ui", "ei", "ev"}}, {names(sub.Starts), []string{"si"}}, {names(sub.EventSubs), []string{"ev"}},
		{names(ev.Starts), []string{"se"}},
	} {
		if !reflect.DeepEqual(c.got, c.want) {
			t.Errorf("got %v, want %v", c.got, c.want)
		}
	}
	if ui.Parent != sub.Index || sub.Parent != Root || ev.Parent != sub.Index || !ev.TriggeredByEvent || node(t, p, "se").Interrupting {
		t.Error("parents or flags are wrong")
	}
	if !p.Within(ui.Index, sub.Index) || !p.Within(ui.Index, Root) || p.Within(sub.Index, sub.Index) || p.Within(node(t, p, "s").Index, sub.Index) || !p.Within(node(t, p, "se").Index, sub.Index) {
		t.Error("Within is wrong")
	}
	for i, n := range p.Nodes {
		if n.Index != i {
			t.Errorf("node %s has index %d at %d", n.ID, n.Index, i)
		}
	}
}

func TestEventMembers(t *testing.T) {
	roots := `<message id="m" name="paid-${no}"/><signal id="sig" name="alarm" flowable:scope="processInstance"/><error id="err" errorCode="E1" camunda:errorMessage="no ${x}"/>`
	p := sound(t, file(roots, `<startEvent id="s"><timerEventDefinition><timeCycle flowable:endDate="2030-01-01">0 0 8 * * ?</timeCycle></timerEventDefinition></startEvent>
<intermediateCatchEvent id="c"><extensionElements><camunda:properties><camunda:property name="correlationKey" value="${order}"/></camunda:properties></extensionElements><messageEventDefinition messageRef="m"/></intermediateCatchEvent>
<intermediateThrowEvent id="t"><signalEventDefinition signalRef="sig" camunda:async="true"><extensionElements><camunda:in source="a" target="b"/></extensionElements></signalEventDefinition></intermediateThrowEvent>
<intermediateThrowEvent id="w"><messageEventDefinition messageRef="m" camunda:class="Send"/></intermediateThrowEvent>
<intermediateThrowEvent id="l1"><linkEventDefinition name="L"/></intermediateThrowEvent><intermediateCatchEvent id="l2"><linkEventDefinition name="L"/></intermediateCatchEvent>
<endEvent id="e"><errorEventDefinition errorRef="err"/></endEvent>`+flows("s>c", "c>t", "t>w", "w>l1", "l2>e")))
	if e := node(t, p, "s").Event; e.Type != EventTimer || e.Timer.Kind != TimerCycle || e.Timer.EndDate.Source != "2030-01-01" {
		t.Errorf("timer %+v", e)
	}
	if e := node(t, p, "c").Event; e.Type != EventMessage || e.Ref != "m" || e.Name.Source != "paid-${no}" || e.Correlation.Source != "${order}" {
		t.Errorf("message %+v", e)
	}
	if e := node(t, p, "t").Event; e.Type != EventSignal || e.Name.Source != "alarm" || !e.Local || !e.Async || e.In[0].Target != "b" {
		t.Errorf("signal %+v", e)
	}
	if n := node(t, p, "w"); n.Service.Name != "Send" || n.Event.Type != EventMessage {
		t.Errorf("throw %+v", n)
	}
	if node(t, p, "l1").LinkTarget != node(t, p, "l2").Index {
		t.Error("links are not paired")
	}
	if e := node(t, p, "e").Event; e.ErrorCode != "E1" || e.ErrorMessage.Source != "no ${x}" {
		t.Errorf("error %+v", e)
	}
}

// The same bytes give the same graph.
func TestDeterministic(t *testing.T) {
	for _, text := range []string{vendorFile("camunda"), file("", chain(`<complexGateway id="x"/>`))} {
		first := decode(t, text)
		for range 20 {
			if !reflect.DeepEqual(first, decode(t, text)) {
				t.Fatal("two decodings differ")
			}
		}
	}
}
