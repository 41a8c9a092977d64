import { del, get, post, put } from "@/kernel/api/client";
import type { Activity, ApprovalDetail, CommentLine, InstanceTask, PathNode } from "./wire";

/** All that the detail page shows of an instance. */
export interface InstanceData {
  detail: ApprovalDetail;
  /** Newest first. */
  tasks: InstanceTask[];
  activities: Activity[];
  comments: CommentLine[];
}

/** Reads an instance; taskId names which of several own tasks is meant. */
export async function readInstance(id: string, taskId: string, signal?: AbortSignal): Promise<InstanceData> {
  const options = { silent: true, signal };
  const of = { processInstanceId: id };
  const [detail, tasks, activities, comments] = await Promise.all([
    get<ApprovalDetail>("/bpm/process-instance/get-approval-detail", { ...of, taskId }, options),
    get<InstanceTask[]>("/bpm/task/list-by-process-instance-id", of, options),
    get<Activity[]>("/bpm/activity/list", of, options),
    get<CommentLine[]>("/bpm/comment/list-by-process-instance-id", of, options),
  ]);
  return { detail, tasks, activities, comments };
}

/** What the version says about taking things back; not everybody may read it. */
export interface VersionRules {
  allowCancelRunningProcess: boolean;
  allowWithdrawTask: boolean;
}

export function readRules(definitionId: string): Promise<VersionRules> {
  return get<VersionRules>("/bpm/process-definition/get", { id: definitionId }, { silent: true });
}

/** Those of the instance's unassigned tasks that the caller may take. */
export async function claimableIds(names: readonly string[]): Promise<string[]> {
  const pages = await Promise.all(
    names.map((name) =>
      get<{ list: { id: string }[] }>("/bpm/task/claimable-page", { name, pageSize: 200 }, { silent: true }),
    ),
  );
  return pages.flatMap((page) => page.list.map((task) => task.id));
}

/** The decisions that would follow, with the form as it is now. */
export function nextNodes(taskId: string, values: Record<string, unknown>): Promise<PathNode[]> {
  const query = { taskId, processVariablesStr: JSON.stringify(values) };
  return get<PathNode[]>("/bpm/process-instance/get-next-approval-nodes", query, { silent: true });
}

export interface ReturnTarget {
  taskDefinitionKey: string;
  name: string;
}

export function returnTargets(id: string): Promise<ReturnTarget[]> {
  return get<ReturnTarget[]>("/bpm/task/list-by-return", { id }, { silent: true });
}

/** What a dialog gathers; each act sends its part of it. */
export interface ActValues {
  reason?: string;
  userId?: number;
  userIds?: number[];
  signType?: "before" | "after";
  target?: string;
  signer?: string;
  nextAssignees?: Record<string, number[]>;
  variables?: Record<string, unknown>;
  /** Id of the uploaded picture of the signature. */
  signature?: number | null;
  /** Ids of the uploaded files of the decision. */
  attachments?: number[];
  /** Of several open tasks the one that an administrator means. */
  taskId?: string;
}

export interface ActTarget {
  instanceId: string;
  taskId: string;
}

type Send = (at: ActTarget, values: ActValues, key: string) => Promise<boolean>;

const text = (values: ActValues) => values.reason?.trim() ?? "";

function byPut(path: string, body: (at: ActTarget, values: ActValues) => object): Send {
  return (at, values, idempotencyKey) =>
    put<boolean>(path, body(at, values), { silent: true, idempotencyKey });
}

function byDelete(path: string, id: (at: ActTarget, values: ActValues) => string | undefined): Send {
  return (at, values, idempotencyKey) =>
    del<boolean>(path, undefined, {
      body: { id: id(at, values), reason: text(values) },
      silent: true,
      idempotencyKey,
    });
}

/** Signatures and attachments are kept as the addresses of the stored files. */
const fileUrl = (id: number) => `/infra/file/download?id=${id}`;

/** The id of a stored file by its address; 0 for one that other systems of the family keep. */
export function signatureId(url: string): number {
  return Number(/^\/infra\/file\/download\?id=(\d+)$/.exec(url)?.[1] ?? 0);
}

/** How each act is sent. */
export const sends = {
  approve: byPut("/bpm/task/approve", ({ taskId: id }, values) => ({
    id,
    reason: text(values),
    variables: values.variables,
    nextAssignees: values.nextAssignees,
    signPicUrl: values.signature ? fileUrl(values.signature) : undefined,
    attachments: values.attachments?.map(fileUrl),
  })),
  reject: byPut("/bpm/task/reject", ({ taskId: id }, values) => ({
    id,
    reason: text(values),
    attachments: values.attachments?.map(fileUrl),
  })),
  transfer: byPut("/bpm/task/transfer", ({ taskId: id }, values) => ({
    id,
    assigneeUserId: values.userId,
    reason: text(values),
  })),
  delegate: byPut("/bpm/task/delegate", ({ taskId: id }, values) => ({
    id,
    delegateUserId: values.userId,
    reason: text(values),
  })),
  return: byPut("/bpm/task/return", ({ taskId: id }, values) => ({
    id,
    targetTaskDefinitionKey: values.target,
    reason: text(values),
  })),
  addSign: byPut("/bpm/task/create-sign", ({ taskId: id }, values) => ({
    id,
    userIds: values.userIds,
    type: values.signType,
    reason: text(values),
  })),
  removeSign: byDelete("/bpm/task/delete-sign", (_, values) => values.signer),
  copy: byPut("/bpm/task/copy", ({ taskId: id }, values) => ({
    id,
    copyUserIds: values.userIds,
    reason: text(values),
  })),
  comment: (at, values, idempotencyKey) =>
    post<boolean>(
      "/bpm/comment/create",
      { taskId: at.taskId, message: text(values) },
      { silent: true, idempotencyKey },
    ),
  withdraw: ({ taskId }, _, idempotencyKey) =>
    put<boolean>("/bpm/task/withdraw", undefined, { query: { taskId }, silent: true, idempotencyKey }),
  claim: ({ taskId: id }, _, idempotencyKey) =>
    put<boolean>("/bpm/task/claim", undefined, { query: { id }, silent: true, idempotencyKey }),
  urge: byPut("/bpm/task/urge", ({ instanceId }, values) => ({
    processInstanceId: instanceId,
    reason: text(values),
  })),
  cancel: byDelete("/bpm/process-instance/cancel-by-start-user", (at) => at.instanceId),
  adminAssign: byPut("/bpm/task/assign-by-admin", ({ taskId: id }, values) => ({
    id,
    assigneeUserId: values.userId,
    reason: text(values),
  })),
  adminApprove: byPut("/bpm/task/approve-by-admin", ({ taskId: id }, values) => ({
    id,
    reason: text(values),
  })),
  adminReject: byPut("/bpm/task/reject-by-admin", ({ taskId: id }, values) => ({
    id,
    reason: text(values),
  })),
  adminCancel: byDelete("/bpm/process-instance/cancel-by-admin", (at) => at.instanceId),
} satisfies Record<string, Send>;

export type ActKey = keyof typeof sends;
