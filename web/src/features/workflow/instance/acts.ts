import { t } from "@/kernel/i18n";
import type { ActKey, ActTarget, InstanceData, VersionRules } from "./calls";
import type { NodeSetting } from "./nodeSetting";
import { flatTasks, type InstanceTask, RESULT_DELEGATED, RUNNING, taskStatus } from "./wire";

/** An act that is offered to the reader, and what it is done to. */
export interface Act {
  key: ActKey;
  label: string;
  /** Why it is not possible now; "" when it is. */
  reason: string;
  target: ActTarget;
}

/** Who reads, and what is known beside the instance. */
export interface Reader {
  id: number;
  may: (permission: string) => boolean;
  claimable: readonly string[];
  rules: VersionRules | null;
}

const own: readonly ActKey[] = ["approve", "reject", "return", "transfer", "delegate", "addSign"];
/** Who was only asked for advice leaves the rest to the owner of the task. */
const ownersOnly: ReadonlySet<ActKey> = new Set(["return", "delegate", "addSign"]);

/** The acts that an instance offers to a reader; those of nobody's concern are left out. */
export function actsFor(data: InstanceData, setting: NodeSetting, reader: Reader): Act[] {
  const { detail, tasks } = data;
  const instance = detail.processInstance;
  const running = instance.result === RUNNING;
  const suspended = running && instance.suspended ? t("workflow:instance.locked.suspended") : "";
  const all = flatTasks(tasks);
  const acts: Act[] = [];
  const offer = (key: ActKey, task: InstanceTask | undefined, reason = suspended) => {
    if (setting.hidden.has(key)) return;
    const label = setting.names[key] ?? t(`workflow:instance.act.${key}`);
    acts.push({ key, label, reason, target: { instanceId: instance.id, taskId: task?.id ?? "" } });
  };
  const context = { offer, running, suspended, all, reader };
  if (reader.may("bpm:task:update")) offerOwn(data, context);
  if (running && instance.startUser?.id === reader.id) offerStarter(context);
  if (running) offerAdmin(context);
  return acts;
}

interface Context {
  offer: (key: ActKey, task: InstanceTask | undefined, reason?: string) => void;
  running: boolean;
  suspended: string;
  all: readonly InstanceTask[];
  reader: Reader;
}

function offerOwn({ detail, tasks }: InstanceData, { offer, running, suspended, all, reader }: Context) {
  const todo = detail.todoTask ?? undefined;
  const mine = (task: InstanceTask) => task.assigneeUser?.id === reader.id;
  if (todo) {
    const advice = todo.result === RESULT_DELEGATED ? t("workflow:instance.locked.delegated") : "";
    for (const key of own) offer(key, todo, suspended || (ownersOnly.has(key) ? advice : ""));
  }
  const free = all.find((task) => task.endTime === null && reader.claimable.includes(task.id));
  if (free) offer("claim", free);
  const signed = all.find((task) => hasSignersOf(task, reader.id));
  if (signed) offer("removeSign", signed);
  const decided = tasks.find((task) => mine(task) && task.status === taskStatus.approved);
  if (decided && running && !todo)
    offer("withdraw", decided, suspended || withdrawLock(decided, tasks, reader));
  const held = todo ?? all.find(mine);
  if (held) offer("copy", held, "");
  if (running && all[0]) offer("comment", todo ?? all[0], "");
}

function hasSignersOf(task: InstanceTask, reader: number): boolean {
  const adder = task.status === taskStatus.waiting ? task.ownerUser : task.assigneeUser;
  return adder?.id === reader && task.children.some((signer) => signer.endTime === null);
}

function withdrawLock(mine: InstanceTask, tasks: readonly InstanceTask[], reader: Reader): string {
  if (reader.rules && !reader.rules.allowWithdrawTask) return t("workflow:instance.locked.noWithdraw");
  const later = tasks.some(
    (task) => task.createTime >= (mine.endTime ?? 0) && task.endTime !== null && task.id !== mine.id,
  );
  return later ? t("workflow:instance.locked.late") : "";
}

function offerStarter({ offer, suspended, all, reader }: Context) {
  const waits = all.some((task) => task.endTime === null && task.assigneeUser);
  offer("urge", undefined, suspended || (waits ? "" : t("workflow:instance.locked.nobody")));
  if (!reader.may("bpm:process-instance:cancel")) return;
  const allowed = reader.rules?.allowCancelRunningProcess ?? true;
  offer("cancel", undefined, allowed ? "" : t("workflow:instance.locked.noCancel"));
}

function offerAdmin({ offer, suspended, all, reader }: Context) {
  const open = all.find((task) => task.endTime === null && task.status === taskStatus.open);
  if (open && reader.may("bpm:task:manager-update")) {
    for (const key of ["adminAssign", "adminApprove", "adminReject"] as const) offer(key, open, suspended);
  }
  if (reader.may("bpm:process-instance:cancel-by-admin")) offer("adminCancel", undefined, "");
}
