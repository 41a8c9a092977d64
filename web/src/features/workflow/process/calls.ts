import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { del, get, type PageOf, put } from "@/kernel/api/client";

type Id = string | number;

const quiet = { silent: true } as const;

export function cancelProcess(id: Id, reason: string, idempotencyKey: string): Promise<boolean> {
  return del<boolean>("/bpm/process-instance/cancel", undefined, {
    ...quiet,
    idempotencyKey,
    body: { id, reason },
  });
}

export function urgeProcess(id: Id, reason: string, idempotencyKey: string): Promise<boolean> {
  return put<boolean>("/bpm/task/urge", { processInstanceId: id, reason }, { ...quiet, idempotencyKey });
}

/** Marks what was copied to me as read: one process, or everything. */
export function readCopies(processInstanceId?: Id): Promise<boolean> {
  return put<boolean>("/bpm/process-instance/copy/read", undefined, {
    ...quiet,
    query: { processInstanceId },
  });
}

export function withdrawTask(id: Id): Promise<boolean> {
  return put<boolean>("/bpm/task/withdraw", undefined, { query: { taskId: id } });
}

export function claimTask(id: Id): Promise<boolean> {
  return put<boolean>("/bpm/task/claim", undefined, { query: { id } });
}

/** How many tasks one of the lists holds; under the key of the lists, whose refresh renews it. */
export function useTaskCount(list: "todo" | "claimable", enabled = true): number | undefined {
  const { data } = useQuery({
    queryKey: ["/bpm/task", `${list}-count`],
    queryFn: ({ signal }) =>
      get<PageOf<unknown>>(`/bpm/task/${list}-page`, { pageNo: 1, pageSize: 1 }, { ...quiet, signal }),
    placeholderData: keepPreviousData,
    retry: false,
    enabled,
  });
  return data?.total;
}
