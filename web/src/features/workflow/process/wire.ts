import type { BaseRow } from "@/kernel/crud";

/** A person as lists name one. */
export interface Person {
  id: number;
  nickname: string;
  deptName: string;
}

/** A field of the form that stands for the whole in lists. */
export interface SummaryItem {
  key: string;
  value: string;
}

/** The results of an instance; dictionary bpm_process_instance_status. */
export const RUNNING = 1;

/** The suspension states of tasks. */
export const SUSPENDED = 2;

// On the wire the ids of instances and tasks are texts; the list kit only passes them on.

export interface ProcessRow extends BaseRow {
  name: string;
  /** Empty without a rule for numbers. */
  number: string;
  processDefinitionKey: string;
  category: string;
  categoryName: string;
  status: number;
  suspended: boolean;
  mayCancel: boolean;
  reason: string;
  createTime: number;
  endTime: number | null;
  summary: SummaryItem[];
  /** Those that wait for somebody. */
  tasks: { id: string; name: string; assigneeUser: Person | null }[];
}

export interface TaskRow extends BaseRow {
  name: string;
  createTime: number;
  endTime: number | null;
  suspensionState: number;
  status: number;
  mayWithdraw: boolean;
  reason: string;
  processInstanceId: string;
  processInstance: {
    name: string;
    number: string;
    startUser: Person | null;
    createTime: number;
    summary: SummaryItem[];
  };
  /** Columns that are drawn from the instance; nothing of that name is sent. */
  starter?: never;
  summary?: never;
}

export interface CopyRow extends BaseRow {
  processInstanceId: string;
  processInstanceName: string;
  number: string;
  unread: boolean;
  activityName: string;
  reason: string;
  startUser: Person | null;
  createUser: Person | null;
  createTime: number;
  summary: SummaryItem[];
}

/** A definition that can be started. */
export interface Startable {
  id: string;
  key: string;
  name: string;
  description: string;
  category: string;
  categoryName: string;
  icon: string;
  formType: number | null;
  formFields: string[];
  formCustomCreatePath: string;
}

/** One step of the path an instance would take. */
export interface PathNode {
  id: string;
  name: string;
  /** 0 start, 1 end, 11 task. */
  nodeType: number;
  candidateStrategy: number | null;
  candidateUsers: Person[];
}
