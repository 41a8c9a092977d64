import { type Dialect, uriOf } from "../dialect";

const head = (more = "") =>
  `<?xml version="1.0" encoding="UTF-8"?>
<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:bpmndi="http://www.omg.org/spec/BPMN/20100524/DI" xmlns:dc="http://www.omg.org/spec/DD/20100524/DC" xmlns:di="http://www.omg.org/spec/DD/20100524/DI" ${more} id="defs" targetNamespace="http://viva.example/t">`;

const drawing = `<bpmndi:BPMNDiagram id="d"><bpmndi:BPMNPlane id="plane" bpmnElement="p">
<bpmndi:BPMNShape id="s1" bpmnElement="start"><dc:Bounds x="100.0" y="100.0" width="36.0" height="36.0"/></bpmndi:BPMNShape>
<bpmndi:BPMNShape id="s2" bpmnElement="check"><dc:Bounds x="200.0" y="80.0" width="100.0" height="80.0"/></bpmndi:BPMNShape>
<bpmndi:BPMNEdge id="e1" bpmnElement="f1"><di:waypoint x="136.0" y="118.0"/><di:waypoint x="200.0" y="118.0"/></bpmndi:BPMNEdge>
</bpmndi:BPMNPlane></bpmndi:BPMNDiagram>`;

const step = (inner: string, attributes = "") =>
  `<startEvent id="start"/><userTask id="check" name="审核" ${attributes}>${inner}</userTask><sequenceFlow id="f1" sourceRef="start" targetRef="check"/>`;

/** A drawn process of a start and one task, with what is given in and around the task. */
export function processFile(dialect: Dialect, inner: string, attributes = "", roots = ""): string {
  return `${head(`xmlns:${dialect}="${uriOf(dialect)}"`)}${roots}<process id="p" name="流程" isExecutable="true">${step(inner, attributes)}</process>${drawing}</definitions>`;
}

const extended = (content: string) => `<extensionElements>${content}</extensionElements>`;

/** A file for each way in which reading and writing it plainly would lose something. */
export const hostile: readonly (readonly [string, string])[] = [
  [
    "a prefix bound to another engine's namespace",
    `${head('xmlns:camunda="http://activiti.org/bpmn"')}<process id="p" isExecutable="true">${step(extended('<camunda:taskListener event="create" class="a.B"/>'), 'camunda:assignee="ann" camunda:candidateGroups="g"')}</process>${drawing}</definitions>`,
  ],
  [
    "two prefixes that changed places",
    `${head('xmlns:camunda="http://activiti.org/bpmn" xmlns:activiti="http://camunda.org/schema/1.0/bpmn"')}<process id="p">${step(extended('<camunda:formProperty id="a"/><activiti:inputOutput/>'), 'camunda:assignee="ann" activiti:taskPriority="5"')}</process>${drawing}</definitions>`,
  ],
  [
    "a usual prefix bound to something unknown",
    `${head('xmlns:flowable="urn:somebody"')}<process id="p">${step(extended('<flowable:thing a="1"><flowable:part/>text</flowable:thing>'), 'flowable:mark="x"')}</process>${drawing}</definitions>`,
  ],
  [
    "references that lead nowhere",
    processFile("camunda", "", "", '<message id="m" itemRef="imported:thing"/>').replace(
      "<sequenceFlow",
      '<boundaryEvent id="b" attachedToRef="check"><errorEventDefinition errorRef="CODE-1"/></boundaryEvent><intermediateThrowEvent id="th"><outgoing>gone</outgoing><signalEventDefinition id="sd" signalRef="byName"/><escalationEventDefinition escalationRef="nobody"/></intermediateThrowEvent><receiveTask id="rc" messageRef="none" operationRef="x:op"/><sequenceFlow',
    ),
  ],
  ...(["camunda", "activiti", "flowable"] as const).map(
    (dialect) =>
      [
        `an extension element unknown to ${dialect}`,
        processFile(
          dialect,
          extended(
            `<${dialect}:task-candidates-type><![CDATA[all & <everyone>]]></${dialect}:task-candidates-type><${dialect}:strange a="1" ${dialect}:b="2"><${dialect}:inner><${dialect}:field name="x"/></${dialect}:inner>words</${dialect}:strange><${dialect}:taskListener event="create" class="a.B"/>`,
          ),
          `${dialect}:unknownAttribute="kept" ${dialect}:assignee="ann"`,
        ),
      ] as const,
  ),
  [
    "a known extension element that says more than its type",
    processFile(
      "flowable",
      extended(
        '<flowable:formProperty id="a"><flowable:value id="1" name="x"/><flowable:hint>more</flowable:hint></flowable:formProperty><flowable:field name="f"><flowable:string lang="zh">text</flowable:string></flowable:field><flowable:executionListener event="start" class="a.B">words</flowable:executionListener>',
      ),
    ),
  ],
  [
    "extension elements outside their container",
    processFile("activiti", '<activiti:formProperty id="a" name="直接"/>'),
  ],
  [
    "elements of other vendors, nested and with their own namespaces",
    processFile(
      "flowable",
      extended(
        '<design:stencil xmlns:design="http://flowable.org/design"><design:list><design:item>1</design:item></design:list></design:stencil><zeebe:ioMapping xmlns:zeebe="http://camunda.org/schema/zeebe/1.0"><zeebe:input source="=a" target="b"/></zeebe:ioMapping><activiti:old xmlns:activiti="http://activiti.org/bpmn" activiti:x="1"/>',
      ),
      'xmlns:design="http://flowable.org/design" design:colour="red"',
    ),
  ],
  [
    "who a resource is, in the words the engines read",
    processFile(
      "camunda",
      "<potentialOwner><resourceAssignmentExpression><formalExpression>user(ann), group(a)</formalExpression></resourceAssignmentExpression></potentialOwner><humanPerformer><resourceAssignmentExpression><formalExpression>bob</formalExpression></resourceAssignmentExpression></humanPerformer>",
    ),
  ],
  [
    "a second documentation and one in another format",
    processFile(
      "camunda",
      '<documentation>eins</documentation><documentation textFormat="text/html">&lt;b&gt;zwei&lt;/b&gt;</documentation>',
    ),
  ],
  [
    "an interface with operations and imported types",
    `${head('xmlns:imported="urn:types"')}<import importType="http://www.w3.org/2001/XMLSchema" location="types.xsd" namespace="urn:types"/><itemDefinition id="it" structureRef="imported:Order"/><message id="m1" itemRef="it"/><interface id="i" name="I" implementationRef="imported:I"><operation id="op" name="o"><inMessageRef>imported:m</inMessageRef><outMessageRef>m1</outMessageRef><errorRef>imported:e</errorRef></operation></interface><process id="p"><dataObject id="do" itemSubjectRef="imported:Order"/>${step("")}</process>${drawing}</definitions>`,
  ],
  ["truth written as a digit", processFile("camunda", "").replace('isExecutable="true"', 'isExecutable="1"')],
  [
    "an element BPMN does not have",
    processFile("camunda", "").replace(
      "<startEvent",
      '<strangeTask id="st" name="x"><note>y</note></strangeTask><startEvent',
    ),
  ],
  [
    "an id used twice and ids that are no names",
    processFile("camunda", "").replace(
      "<startEvent",
      '<manualTask id="check" name="again"/><manualTask id="1 2" name="odd"/><startEvent',
    ),
  ],
  [
    "ids in Chinese and ids that begin with a digit",
    processFile("camunda", "<incoming>f1</incoming>")
      .replaceAll('"check"', '"审核"')
      .replaceAll('"f1"', '"1f"')
      .replaceAll(">f1<", ">1f<"),
  ],
  [
    "a plane that names no element",
    processFile("camunda", "").replace('bpmnElement="p"', 'bpmnElement="nowhere"'),
  ],
  [
    "names with signs",
    processFile(
      "camunda",
      '<documentation>a &lt; b &amp; c "d" &#10; e</documentation>',
      'camunda:assignee="#{a &lt; 1 ? &quot;x&quot; : &quot;y&quot;}"',
    ),
  ],
];
