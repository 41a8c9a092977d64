import { del, get, post, put, saveBlob } from "@/kernel/api/client";
import type { Model } from "./entity";

/** One reason why a model cannot be deployed, or a warning; without element it is the model's. */
export interface DeployProblem {
  elementId: string;
  elementType: string;
  severity: "error" | "warning";
  code: string;
  zh: string;
  en: string;
  line: number;
  column: number;
}

export interface TaskRule {
  id: number | null;
  taskDefinitionKey: string;
  taskDefinitionName: string;
  type: number | null;
  options: number[];
  diagramStrategy: string;
  diagramParam: string;
  diagramTitle: string;
  diagramAssignee: string;
}

type Id = Model["id"];

export function deploy(id: Id): Promise<boolean> {
  return post<boolean>("/bpm/model/deploy", undefined, { query: { id }, silent: true });
}

export function setState(id: Id, state: number): Promise<boolean> {
  return put<boolean>("/bpm/model/update-state", { id, state });
}

/** Cancels and erases all instances of the model's process, in the background. */
export function clean(id: Id): Promise<boolean> {
  return del<boolean>("/bpm/model/clean", { id });
}

export function replaceDiagram(id: Id, version: number | undefined, bpmnXml: string): Promise<boolean> {
  return put<boolean>("/bpm/model/update-bpmn", { id, version, bpmnXml }, { silent: true });
}

export async function modelXml(id: Id): Promise<string> {
  return (await get<{ bpmnXml: string }>("/bpm/model/get", { id }, { silent: true })).bpmnXml;
}

export function definitionXml(id: Id): Promise<string> {
  return get<string>("/bpm/process-definition/get-bpmn-xml", { id }, { silent: true });
}

/** Sends a file with what the new model is called; a large diagram takes a while. */
export function importModel(file: File, texts: Record<string, string>): Promise<string> {
  const body = new FormData();
  for (const [name, text] of Object.entries(texts)) body.append(name, text);
  body.append("bpmnFile", file);
  return post<string>("/bpm/model/import", body, { silent: true, timeout: 120_000 });
}

export function saveXml(xml: string, name: string): void {
  saveBlob(new Blob([xml], { type: "application/xml" }), `${name.replace(/[\\/:*?"<>|]/g, "_")}.bpmn`);
}
