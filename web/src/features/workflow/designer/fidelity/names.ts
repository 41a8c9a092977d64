/** Namespaces of BPMN itself. */
export const BPMN = "http://www.omg.org/spec/BPMN/20100524/MODEL";
export const BPMNDI = "http://www.omg.org/spec/BPMN/20100524/DI";
export const XSI = "http://www.w3.org/2001/XMLSchema-instance";

/** Where elements live that the drawing kit has no words for, until the file is written. */
export const KEPT = "urn:viva:kept";
export const KEPT_PREFIX = "vivakept";
