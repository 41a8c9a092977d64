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
