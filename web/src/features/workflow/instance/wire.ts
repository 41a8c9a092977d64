/** A person as answers name one. */
export interface Person {
  id: number;
  nickname: string;
  avatar?: string;
  deptId?: number;
  deptName?: string;
}

/** A decision of an instance, open or made; signers added to it stand under it. */
export interface InstanceTask {
  id: string;
  name: string;
  taskDefinitionKey: string;
  createTime: number;
  claimTime: number | null;
  endTime: number | null;
  durationInMillis: number | null;
  suspensionState: number;
  status: number;
  result: number;
  reason: string;
  signPicUrl: string;
  attachments: string[];
  attachmentFiles: { id: number; name: string; size: number }[];
  assigneeUser: Person | null;
  ownerUser: Person | null;
  parentTaskId: string;
  children: InstanceTask[];
}

/** One visit of an element of the diagram, or one flow taken. */
export interface Activity {
  key: string;
  type: string;
  startTime: number;
  endTime: number | null;
  taskId: string;
}

/** The tasks with their signers in one list, each task before its signers. */
export function flatTasks(tasks: readonly InstanceTask[]): InstanceTask[] {
  return tasks.flatMap((task) => [task, ...flatTasks(task.children)]);
}

/** A step on the way of an instance: done, open or foreseen. */
export interface PathNode {
  id: string;
  name: string;
  /** 0 start, 1 end, 11 a decision. */
  nodeType: number;
  status: number;
  startTime: number | null;
  endTime: number | null;
  candidateStrategy: number | null;
  candidateUserIds: number[];
  candidateUsers: Person[];
  tasks: InstanceTask[];
  predicted: boolean;
}

export interface InstanceDefinition {
  id: string;
  key: string;
  name: string;
  version: number;
  formType: number | null;
  formFields: string[];
  formCustomViewPath: string;
  bpmnXml: string;
}

export interface Instance {
  id: string;
  name: string;
  /** Empty without a rule for numbers. */
  number: string;
  categoryName: string;
  /** 1 in progress, 2 approved, 3 rejected, 4 cancelled. */
  result: number;
  suspended: boolean;
  reason: string;
  startTime: number;
  endTime: number | null;
  durationInMillis: number | null;
  startUser: Person | null;
  summary: { key: string; value: string }[];
  formVariables: Record<string, unknown>;
  businessKey: string;
}

/** An instance with its way and what the caller may do with its form. */
export interface ApprovalDetail {
  activityNodes: PathNode[];
  formFieldsPermission: Record<string, number>;
  /** The caller's own open task. */
  todoTask: InstanceTask | null;
  processDefinition: InstanceDefinition;
  processInstance: Instance;
}

/** A line that somebody wrote, or that an act left behind. */
export interface CommentLine {
  id: number;
  taskId: string;
  type: number;
  message: string;
  createTime: number;
  user: Person | null;
}

export const RUNNING = 1;

export const nodeTypes = { start: 0, end: 1, decision: 11 } as const;

/** Task states that matter for what can be done: they are not yet decided. */
export const taskStatus = { waiting: 0, open: 1, approved: 2 } as const;

/** A task that only asks for advice: its owner decides. */
export const RESULT_DELEGATED = 6;
