import { t } from "@/kernel/i18n";
import { type Dialect, uriOf } from "../dialect";
import { BPMN, BPMNDI } from "../fidelity/names";
import { encode } from "../fidelity/xml";

/** What a new diagram is for. */
export interface Subject {
  key: string;
  name: string;
}

/** An empty diagram: one process with nothing in it. */
export function blankDiagram(dialect: Dialect, subject?: Subject): string {
  const now = Date.now();
  const key = subject?.key || `Process_${now}`;
  const name = encode(subject?.name || t("designer:file.newName", { at: String(now) }));
  const target = dialect === "camunda" ? "http://bpmn.io/schema/bpmn" : uriOf(dialect);
  return `<?xml version="1.0" encoding="UTF-8"?>
<bpmn:definitions xmlns:bpmn="${BPMN}" xmlns:bpmndi="${BPMNDI}" xmlns:dc="http://www.omg.org/spec/DD/20100524/DC" xmlns:di="http://www.omg.org/spec/DD/20100524/DI" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:${dialect}="${uriOf(dialect)}" id="diagram_${key}" targetNamespace="${target}">
  <bpmn:process id="${key}" name="${name}" isExecutable="true" />
  <bpmndi:BPMNDiagram id="BPMNDiagram_1">
    <bpmndi:BPMNPlane id="BPMNPlane_1" bpmnElement="${key}" />
  </bpmndi:BPMNDiagram>
</bpmn:definitions>
`;
}
