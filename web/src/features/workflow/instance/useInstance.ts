import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useAccess } from "@/kernel/access/access";
import { useSession } from "@/kernel/session";
import { useTabActive } from "@/layout";
import type { History } from "../viewer/marks";
import { actsFor } from "./acts";
import { claimableIds, type InstanceData, readInstance, readRules } from "./calls";
import { nodeSetting } from "./nodeSetting";
import { flatTasks, RUNNING } from "./wire";

/** An instance as the page shows it, renewed while it is looked at. */
export function useInstance(id: string, taskId: string) {
  const active = useTabActive();
  const query = useQuery({
    queryKey: ["bpm-instance", id, taskId],
    queryFn: ({ signal }) => readInstance(id, taskId, signal),
    enabled: id !== "",
    subscribed: active,
    retry: false,
  });
  const reload = async () => (await query.refetch()).data;
  return { ...query, reload };
}

/** What the reader can do with it now. */
export function useActs(data: InstanceData) {
  const user = useSession((state) => state.user?.id ?? 0);
  const { hasPermission } = useAccess();
  const { detail, tasks } = data;
  const definition = detail.processDefinition;
  const running = detail.processInstance.result === RUNNING;
  const free = flatTasks(tasks).filter(
    (task) => task.endTime === null && !task.assigneeUser && task.status === 1,
  );
  const names = [...new Set(free.map((task) => task.name))];
  const claimable = useQuery({
    queryKey: ["bpm-claimable", names],
    queryFn: () => claimableIds(names),
    enabled: running && names.length > 0 && hasPermission(["bpm:task:query"]),
    retry: false,
  });
  const rules = useQuery({
    queryKey: ["bpm-rules", definition.id],
    queryFn: () => readRules(definition.id),
    enabled: running,
    retry: false,
  });
  const key = detail.todoTask?.taskDefinitionKey ?? "";
  const setting = useMemo(() => nodeSetting(definition.bpmnXml, key), [definition.bpmnXml, key]);
  const acts = actsFor(data, setting, {
    id: user,
    may: (permission) => hasPermission([permission]),
    claimable: claimable.data ?? [],
    rules: rules.data ?? null,
  });
  return { acts, setting };
}

/** The part of an instance that its diagram shows; the same object while nothing changed. */
export function useHistory({ detail, tasks, activities }: InstanceData): History {
  const { result, startUser, startTime, endTime } = detail.processInstance;
  return useMemo(
    () => ({ instance: { result, startUser, startTime, endTime }, tasks, activities }),
    [result, startUser, startTime, endTime, tasks, activities],
  );
}
