package bpmn

import (
	"fmt"
	"strings"
)

// compiled are the vendor elements read into typed members of the graph.
var compiled = map[string]bool{
	"executionListener": true, "taskListener": true, "inputOutput": true, "properties": true, "field": true,
	"formData": true, "formProperty": true, "failedJobRetryTimeCycle": true, "in": true, "out": true,
	"connector": true, "mapException": true, "potentialStarter": true,
}

// foreignWork are vendor elements that change what the element does in a way
// that release 1 does not offer.
var foreignWork = map[string]bool{
	"eventType": true, "triggerEventType": true, "channelKey": true, "eventName": true, "sendSynchronously": true,
	"eventInParameter": true, "eventOutParameter": true, "eventCorrelationParameter": true,
	"triggerEventCorrelationParameter": true, "startEventCorrelationConfiguration": true, "systemChannel": true,
	"eventListener": true, "variableListenerEventDefinition": true, "customResource": true,
	"externalWorkerInParameter": true, "externalWorkerOutParameter": true, "httpRequestHandler": true,
	"httpResponseHandler": true, "errorEventDefinition": true, "variableAggregation": true,
}

// refusedAttributes are vendor attributes with an effect that release 1 does
// not offer.
var refusedAttributes = map[string]bool{
	"variableMappingClass": true, "variableMappingDelegateExpression": true, "caseRef": true, "caseDefinitionKey": true,
	"calledElementTenantId": true, "decisionRefTenantId": true, "ruleVariablesInput": true, "rules": true,
	"terminateMultiInstance": true, "formHandlerClass": true,
}

// ignorableAttributes change details; a reader should know that they do nothing.
var ignorableAttributes = map[string]bool{
	"businessCalendarName": true, "completeAsync": true, "storeResultVariableAsTransient": true,
	"errorVariableTransient": true, "taskIdVariableName": true, "taskCompleterVariableName": true,
	"fallbackToDefaultTenant": true, "doNotIncludeVariables": true,
}

// ignoredAttributes names the vendor attributes of the element that do not work.
func (c *compiler) ignoredAttributes(e *element) {
	for _, a := range e.attributes {
		switch {
		case a.vendor == "" || strings.TrimSpace(a.value) == "":
		case refusedAttributes[a.name]:
			c.fail("unsupported-attribute", "暂不支持属性 "+a.name+"，请删除", "the attribute "+a.name+" is not supported; remove it")
		case ignorableAttributes[a.name] && a.value != "false":
			c.warn("ignored-attribute", "属性 "+a.name+" 不起作用", "the attribute "+a.name+" has no effect")
		}
	}
}

// foreign gives the vendor elements that are kept for other readers, such as
// the approval layer, and names those that would have to be executed.
func (c *compiler) foreign(e *element) []Extension {
	var kept []Extension
	for _, holder := range e.all("extensionElements") {
		if holder.zeebe {
			c.warn("foreign-engine", "为 Zeebe（Camunda 8）编写的扩展不起作用，请改用 Camunda 7、Flowable 或 Activiti 的写法",
				"extensions for Zeebe (Camunda 8) have no effect; use those of Camunda 7, Flowable or Activiti")
		}
		for _, x := range holder.vendors() {
			switch {
			case compiled[x.name]:
			case foreignWork[x.name]:
				c.fail("unsupported-extension", "暂不支持扩展元素 "+x.name+"，请删除", "the extension element "+x.name+" is not supported; remove it")
			default:
				kept = append(kept, extension(x))
			}
		}
	}
	return kept
}

func extension(e *element) Extension {
	x := Extension{Name: e.name, Text: strings.TrimSpace(e.text)}
	for _, a := range e.attributes {
		x.Attributes = append(x.Attributes, Property{Name: a.name, Value: a.value})
	}
	for _, child := range e.children {
		x.Children = append(x.Children, extension(child))
	}
	return x
}

// properties reads the extension properties.
func properties(e *element) []Property { return propertyList(e.extensions("properties")) }

func propertyList(holders []*element) []Property {
	var list []Property
	for _, holder := range holders {
		for _, p := range holder.vendors("property") {
			list = append(list, Property{ID: p.attr("id"), Name: p.attr("name"), Value: p.attr("value")})
		}
	}
	return list
}

func (c *compiler) parameters(e *element) (in, out []Parameter) {
	return c.inputOutput(e.extensions("inputOutput"))
}

func (c *compiler) inputOutput(holders []*element) (in, out []Parameter) {
	for _, holder := range holders {
		for _, p := range holder.vendors("inputParameter", "outputParameter") {
			parameter := Parameter{Name: p.attr("name"), Value: c.value(p)}
			if parameter.Name == "" {
				c.fail("parameter", "输入输出参数没有名称", "an input or output parameter has no name")
			}
			if p.name == "inputParameter" {
				in = append(in, parameter)
			} else {
				out = append(out, parameter)
			}
		}
	}
	return in, out
}

// value reads text, script, list or map. The depth is bounded by that of the file.
func (c *compiler) value(e *element) Value {
	for _, x := range e.vendors("script", "list", "map") {
		switch x.name {
		case "script":
			return Value{Kind: ValueScript, Script: c.scriptValue(x)}
		case "list":
			v := Value{Kind: ValueList}
			for _, item := range x.children {
				v.List = append(v.List, c.item(item))
			}
			return v
		default:
			v := Value{Kind: ValueMap}
			for _, entry := range x.vendors("entry") {
				v.Entries = append(v.Entries, Parameter{Name: entry.attr("key"), Value: c.value(entry)})
			}
			return v
		}
	}
	return Value{Kind: ValueText, Text: c.expression("parameter "+clip(orElse(e.attr("name"), e.attr("key"))), e.text)}
}

// item reads an entry of a list, which is a value element or a nested form.
func (c *compiler) item(e *element) Value {
	switch e.name {
	case "script", "list", "map":
		return c.value(&element{children: []*element{e}})
	}
	return c.value(e)
}

func (c *compiler) mappings(e *element, name string) []Mapping {
	var list []Mapping
	for _, x := range e.extensions(name) {
		m := Mapping{All: x.attr("variables") == "all", Local: boolean(x.attr("local"), false), Source: x.attr("source"),
			SourceExpression: c.expression("sourceExpression", x.attr("sourceExpression")), Target: orElse(x.attr("target"), x.attr("targetExpression"))}
		switch {
		case x.attr("targetExpression") != "":
			c.fail("mapping", "变量映射不支持 targetExpression，请改用 target", "variable mappings do not support targetExpression; use target")
		case x.attr("businessKey") != "" && !m.All && m.Source == "":
			continue
		case !m.All && (m.Target == "" || m.Source == "" && !m.SourceExpression.Present()):
			c.fail("mapping", fmt.Sprintf("变量映射（%s）缺少来源或目标", name), fmt.Sprintf("a variable mapping (%s) lacks its source or target", name))
		}
		list = append(list, m)
	}
	return list
}

func (c *compiler) mappedErrors(e *element) []ErrorMapping {
	var list []ErrorMapping
	for _, x := range e.extensions("mapException") {
		list = append(list, ErrorMapping{Code: x.attr("errorCode"), Class: strings.TrimSpace(x.text)})
	}
	return list
}

// retry reads the retry cycle; a literal must parse.
func (c *compiler) retry(e *element) Expression {
	x := c.expression("failedJobRetryTimeCycle", extensionText(e, "failedJobRetryTimeCycle"))
	if x.Parsed != nil && x.Parsed.IsLiteral() {
		if _, err := ParseRetry(x.Source); err != nil {
			c.fail("retry", "重试周期 "+quoted(x.Source)+" 无效："+textOf(err, "zh"), "retry cycle "+quoted(x.Source)+" is not valid: "+textOf(err, "en"))
		}
	}
	return x
}

func (c *compiler) checkTTL(text string) {
	for _, r := range text {
		if r < '0' || r > '9' {
			if _, err := ParsePeriod(text); err != nil {
				c.warn("history-ttl", "历史保留时间 "+quoted(text)+" 无效，应为天数或 ISO 8601 时长", "history time to live "+quoted(text)+" is neither days nor an ISO 8601 duration")
			}
			return
		}
	}
}
