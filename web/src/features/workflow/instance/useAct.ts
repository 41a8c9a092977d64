import { useState } from "react";
import { ApiError } from "@/kernel/api/errors";
import { useOnce } from "@/kernel/api/useOnce";
import { dictLabel } from "@/kernel/dict";
import { t } from "@/kernel/i18n";
import { formatTime } from "@/kernel/rules";
import { toast } from "@/kernel/ui";
import type { Act } from "./acts";
import { type ActValues, type InstanceData, sends } from "./calls";
import { flatTasks } from "./wire";

/** Refusals of the workflow; they come from what the instance has become. */
const isOfWorkflow = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.code >= 1_009_000_000 && error.code < 1_010_000_000;

/** Sends acts: each once, and when something else happened meanwhile the page learns it. */
export function useAct(reload: () => Promise<InstanceData | undefined>) {
  const [act, setAct] = useState<Act | null>(null);
  const once = useOnce();
  const send = async (what: Act, values: ActValues) => {
    const target = { ...what.target, taskId: values.taskId ?? what.target.taskId };
    try {
      await sends[what.key](target, values, once.keyOf([what.key, target, values]));
    } catch (error) {
      if (!isOfWorkflow(error)) throw error;
      const happened = whatHappened(await reload(), target.taskId);
      throw happened
        ? new ApiError(error.code, `${error.msg}。${happened}`, error.data, error.fields)
        : error;
    }
    once.done();
    toast.success(t("workflow:instance.done", { act: what.label }));
    await reload();
  };
  return { act, open: setAct, close: () => setAct(null), send };
}

/** What became of a task that the reader believed open. */
function whatHappened(data: InstanceData | undefined, taskId: string): string {
  const task = flatTasks(data?.tasks ?? []).find((one) => one.id === taskId);
  if (!task) return "";
  const name = task.name;
  const who = task.assigneeUser?.nickname ?? "";
  if (task.endTime === null) return who ? t("workflow:instance.nowWith", { name, who }) : "";
  const result = dictLabel("bpm_task_status", task.status);
  const time = formatTime(task.endTime);
  return t("workflow:instance.decided", { name, who, time, result });
}
