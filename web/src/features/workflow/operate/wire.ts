import type { BaseRow } from "@/kernel/crud";
import type { Person } from "../instance/wire";

/** The results of an instance, values of the dictionary bpm_process_instance_status. */
export const RUNNING = 1;

/** States an instance can be put into. */
export const ACTIVATE = 1;
export const SUSPEND = 2;

/** On the wire the ids of instances, tasks and incidents are texts; the list kit only passes them on. */
export interface Instance extends BaseRow {
  name: string;
  /** Empty without a rule for numbers. */
  number: string;
  processDefinitionId: string;
  processDefinitionKey: string;
  categoryName: string;
  status: number;
  suspended: boolean;
  reason: string;
  startTime: number;
  createTime: number;
  endTime: number | null;
  durationInMillis: number | null;
  startUser: Person | null;
  /** A filter; answers carry `startUser`. */
  startUserId?: number;
  tasks: { id: string; name: string; assigneeUser: Person | null }[];
}

export interface Incident extends BaseRow {
  processInstanceId: string;
  processInstanceName: string;
  processName: string;
  version: number;
  suspended: boolean;
  elementId: string;
  elementName: string;
  elementType: string;
  kind: string;
  message: string;
  createTime: number;
  resolveTime: number | null;
  /** Filters; answers carry what they mean under other names. */
  name?: string;
  processDefinitionKey?: string;
}

export interface IncidentDetail extends Incident {
  detail: string;
  attempts: { time: number; message: string; detail: string }[];
  flows: { id: string; name: string; targetName: string }[];
}

export interface Place {
  id: string;
  elementId: string;
  elementName: string;
  elementType: string;
  state: string;
  since: number | null;
  people: string[];
  movable: boolean;
}

export interface Target {
  elementId: string;
  elementName: string;
  elementType: string;
}

export const variableTypes = ["string", "integer", "decimal", "boolean", "list", "object", "null"] as const;
export type VariableType = (typeof variableTypes)[number];

export interface Variable {
  /** The place the variable belongs to, "" for the whole process. */
  scope: string;
  elementId: string;
  elementName: string;
  name: string;
  type: VariableType;
  value: string;
  locked: boolean;
}

export interface ManageDetail extends Omit<Instance, "id"> {
  id: string;
  version: number;
  parentId: string;
  children: string[];
  places: Place[];
  targets: Target[];
  variables: Variable[];
  incidents: Incident[];
}

export interface RetryOutcome {
  pending: boolean;
  again: string;
  message: string;
}

export interface RetryResult extends RetryOutcome {
  id: string;
  refused: string;
}

/** What people call an element of a diagram. */
export function elementText(element: { elementId: string; elementName: string }): string {
  return element.elementName || element.elementId;
}
