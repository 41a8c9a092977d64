import type { InstanceTask } from "../instance/wire";
import type { History } from "./marks";

const T0 = 1795240920000;

/** A decision as the server lists it. */
export function task(part: Partial<InstanceTask>): InstanceTask {
  return {
    id: "t1",
    name: "审核",
    taskDefinitionKey: "check",
    createTime: T0,
    claimTime: null,
    endTime: null,
    durationInMillis: null,
    suspensionState: 1,
    status: 1,
    result: 1,
    reason: "",
    signPicUrl: "",
    attachments: [],
    attachmentFiles: [],
    assigneeUser: { id: 2, nickname: "刘老师", deptName: "信息学院" },
    ownerUser: null,
    parentTaskId: "",
    children: [],
    ...part,
  };
}

/** What happened in an instance that still runs. */
export function history(part: Partial<History> = {}): History {
  return {
    instance: {
      result: 1,
      startUser: { id: 1, nickname: "王同学", deptName: "信息学院" },
      startTime: T0,
      endTime: null,
    },
    tasks: [],
    activities: [],
    ...part,
  };
}

/** A start, one decision and an end, drawn; the names are given. */
export function diagramXml(check: string, documentation = "", extraShapes = ""): string {
  const escaped = (text: string) =>
    text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
  return `<?xml version="1.0" encoding="UTF-8"?>
<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:bpmndi="http://www.omg.org/spec/BPMN/20100524/DI" xmlns:dc="http://www.omg.org/spec/DD/20100524/DC" xmlns:di="http://www.omg.org/spec/DD/20100524/DI" targetNamespace="t">
<process id="p" name="流程" isExecutable="true"><startEvent id="start" name="提交"/>
<userTask id="check" name="${escaped(check)}"><documentation>${escaped(documentation)}</documentation></userTask><endEvent id="end" name="办结"/>
<sequenceFlow id="f1" sourceRef="start" targetRef="check"/><sequenceFlow id="f2" name="同意" sourceRef="check" targetRef="end"/></process>
<bpmndi:BPMNDiagram id="d"><bpmndi:BPMNPlane id="plane" bpmnElement="p">
<bpmndi:BPMNShape id="s1" bpmnElement="start"><dc:Bounds x="100" y="100" width="36" height="36"/></bpmndi:BPMNShape>
<bpmndi:BPMNShape id="s2" bpmnElement="check"><dc:Bounds x="200" y="80" width="100" height="80"/></bpmndi:BPMNShape>
<bpmndi:BPMNShape id="s3" bpmnElement="end"><dc:Bounds x="400" y="100" width="36" height="36"/></bpmndi:BPMNShape>${extraShapes}
<bpmndi:BPMNEdge id="e1" bpmnElement="f1"><di:waypoint x="136" y="118"/><di:waypoint x="200" y="118"/></bpmndi:BPMNEdge>
<bpmndi:BPMNEdge id="e2" bpmnElement="f2"><di:waypoint x="300" y="118"/><di:waypoint x="400" y="118"/></bpmndi:BPMNEdge>
</bpmndi:BPMNPlane></bpmndi:BPMNDiagram></definitions>`;
}
