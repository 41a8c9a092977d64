package bpmn

import (
	"strings"
	"testing"
)

// Wherever an expression may stand, one that reaches for the machine is refused
// before deployment: either it does not parse or it calls what is not registered.
func TestPayloadsEverywhere(t *testing.T) {
	ext := func(kind, attributes, inner string) string {
		return chain(`<` + kind + ` id="x" name="X" ` + attributes + `><extensionElements>` + inner + `</extensionElements></` + kind + `>`)
	}
	places := map[string]string{
		"assignee":             ext("userTask", `camunda:assignee="PAYLOAD"`, ``),
		"candidate users":      ext("userTask", `flowable:candidateUsers="1,PAYLOAD"`, ``),
		"candidate groups":     ext("userTask", `flowable:candidateGroups="PAYLOAD"`, ``),
		"due date":             ext("userTask", `activiti:dueDate="PAYLOAD"`, ``),
		"follow-up date":       ext("userTask", `camunda:followUpDate="PAYLOAD"`, ``),
		"priority":             ext("userTask", `camunda:priority="PAYLOAD"`, ``),
		"form key":             ext("userTask", `camunda:formKey="PAYLOAD"`, ``),
		"form default":         ext("userTask", ``, `<camunda:formData><camunda:formField id="a" defaultValue="PAYLOAD"/></camunda:formData>`),
		"form property":        ext("userTask", ``, `<activiti:formProperty id="a" expression="PAYLOAD"/>`),
		"potential owner":      chain(`<userTask id="x" name="X"><potentialOwner><resourceAssignmentExpression><formalExpression>PAYLOAD</formalExpression></resourceAssignmentExpression></potentialOwner></userTask>`),
		"skip":                 ext("userTask", `flowable:skipExpression="PAYLOAD"`, ``),
		"job priority":         ext("userTask", `camunda:jobPriority="PAYLOAD"`, ``),
		"retry":                ext("userTask", ``, `<camunda:failedJobRetryTimeCycle>PAYLOAD</camunda:failedJobRetryTimeCycle>`),
		"execution listener":   ext("userTask", ``, `<camunda:executionListener event="start" expression="PAYLOAD"/>`),
		"task listener":        ext("userTask", ``, `<flowable:taskListener event="create" expression="PAYLOAD"/>`),
		"delegate listener":    ext("userTask", ``, `<flowable:taskListener event="create" delegateExpression="PAYLOAD"/>`),
		"listener field":       ext("userTask", ``, `<camunda:executionListener event="start" class="C"><camunda:field name="f"><camunda:expression>PAYLOAD</camunda:expression></camunda:field></camunda:executionListener>`),
		"listener script":      ext("userTask", ``, `<camunda:executionListener event="start"><camunda:script scriptFormat="juel">PAYLOAD</camunda:script></camunda:executionListener>`),
		"listener timer":       ext("userTask", ``, `<camunda:taskListener event="timeout" class="C"><timerEventDefinition><timeDuration>PAYLOAD</timeDuration></timerEventDefinition></camunda:taskListener>`),
		"input":                ext("userTask", ``, `<camunda:inputOutput><camunda:inputParameter name="a">PAYLOAD</camunda:inputParameter></camunda:inputOutput>`),
		"input list":           ext("userTask", ``, `<camunda:inputOutput><camunda:inputParameter name="a"><camunda:list><camunda:value>PAYLOAD</camunda:value></camunda:list></camunda:inputParameter></camunda:inputOutput>`),
		"output map":           ext("userTask", ``, `<camunda:inputOutput><camunda:outputParameter name="a"><camunda:map><camunda:entry key="k">PAYLOAD</camunda:entry></camunda:map></camunda:outputParameter></camunda:inputOutput>`),
		"service":              ext("serviceTask", `camunda:expression="PAYLOAD"`, ``),
		"delegate":             ext("serviceTask", `camunda:delegateExpression="PAYLOAD"`, ``),
		"field":                ext("serviceTask", `camunda:class="C"`, `<camunda:field name="f" expression="PAYLOAD"/>`),
		"connector":            ext("serviceTask", ``, `<camunda:connector><camunda:connectorId>c</camunda:connectorId><camunda:inputOutput><camunda:inputParameter name="a">PAYLOAD</camunda:inputParameter></camunda:inputOutput></camunda:connector>`),
		"decision":             ext("businessRuleTask", `camunda:decisionRef="PAYLOAD"`, ``),
		"called element":       ext("callActivity", `calledElement="PAYLOAD"`, ``),
		"called version":       ext("callActivity", `calledElement="q" camunda:calledElementBinding="version" camunda:calledElementVersion="PAYLOAD"`, ``),
		"mapping":              ext("callActivity", `calledElement="q"`, `<camunda:in sourceExpression="PAYLOAD" target="a"/>`),
		"business key":         ext("callActivity", `calledElement="q"`, `<camunda:in businessKey="PAYLOAD"/>`),
		"child name":           ext("callActivity", `calledElement="q" flowable:processInstanceName="PAYLOAD"`, ``),
		"collection":           chain(`<userTask id="x" name="X"><multiInstanceLoopCharacteristics camunda:collection="PAYLOAD"/></userTask>`),
		"cardinality":          chain(`<userTask id="x" name="X"><multiInstanceLoopCharacteristics><loopCardinality>PAYLOAD</loopCardinality></multiInstanceLoopCharacteristics></userTask>`),
		"completion":           chain(`<userTask id="x" name="X"><multiInstanceLoopCharacteristics camunda:collection="c"><completionCondition>PAYLOAD</completionCondition></multiInstanceLoopCharacteristics></userTask>`),
		"loop":                 chain(`<userTask id="x" name="X"><standardLoopCharacteristics><loopCondition>PAYLOAD</loopCondition></standardLoopCharacteristics></userTask>`),
		"script":               chain(`<scriptTask id="x" scriptFormat="juel"><script>PAYLOAD</script></scriptTask>`),
		"condition":            `<startEvent id="s"/><endEvent id="e"/><sequenceFlow id="f" sourceRef="s" targetRef="e"><conditionExpression>PAYLOAD</conditionExpression></sequenceFlow>`,
		"flow skip":            `<startEvent id="s"/><endEvent id="e"/><sequenceFlow id="f" sourceRef="s" targetRef="e" flowable:skipExpression="PAYLOAD"/>`,
		"flow listener":        `<startEvent id="s"/><endEvent id="e"/><sequenceFlow id="f" sourceRef="s" targetRef="e"><extensionElements><camunda:executionListener event="take" expression="PAYLOAD"/></extensionElements></sequenceFlow>`,
		"start timer":          start(`<timerEventDefinition><timeDuration>PAYLOAD</timeDuration></timerEventDefinition>`),
		"timer date":           start(`<timerEventDefinition><timeDate>PAYLOAD</timeDate></timerEventDefinition>`),
		"timer cycle":          start(`<timerEventDefinition><timeCycle flowable:endDate="PAYLOAD">R/P1D</timeCycle></timerEventDefinition>`),
		"message expression":   end(`<messageEventDefinition flowable:messageExpression="PAYLOAD"/>`),
		"message code":         end(`<messageEventDefinition camunda:expression="PAYLOAD"/>`),
		"signal expression":    end(`<signalEventDefinition flowable:signalExpression="PAYLOAD"/>`),
		"process listener":     startEnd + `<extensionElements><camunda:executionListener event="end" expression="PAYLOAD"/></extensionElements>`,
		"correlation":          chain(`<receiveTask id="x" messageRef="m"><extensionElements><camunda:properties><camunda:property name="correlationKey" value="PAYLOAD"/></camunda:properties></extensionElements></receiveTask>`),
		"message name":         start(`<messageEventDefinition messageRef="named"/>`),
		"error message":        end(`<errorEventDefinition errorRef="err"/>`),
		"process job priority": startEnd,
	}
	const harmless = "${good}" // shows that it is the payload that is refused
	for _, payload := range []string{
		harmless,
		`${''.getClass().forName('java.lang.Runtime').getMethods()}`, `${T(java.lang.Runtime).getRuntime()}`, `#{runtime.exec('id')}`,
		`${a = b}`, `${x -> x}`, `${a instanceof b}`, `x-${os.getenv('HOME')}-y`,
	} {
		for name, content := range places {
			text := file(`<message id="m" name="m"/><message id="named" name="PAYLOAD"/><error id="err" errorCode="E" camunda:errorMessage="PAYLOAD"/>`, content)
			text = strings.Replace(text, `<process id="p"`, `<process id="p" camunda:jobPriority="JOB"`, 1)
			job := "1"
			if name == "process job priority" {
				job = payload
			}
			text = strings.ReplaceAll(strings.ReplaceAll(text, "JOB", job), "PAYLOAD", strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;").Replace(payload))
			problems := Check(decode(t, text), func(kind UseKind, _ string) bool { return kind != UseCall })
			if got, want := Deployable(problems), payload == harmless; got != want {
				t.Errorf("%s in %s: deployable is %v, %+v", payload, name, got, problems)
			}
		}
	}
}
