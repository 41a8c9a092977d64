import { useQuery } from "@tanstack/react-query";
import { get, type PageOf } from "@/kernel/api/client";
import { basePath } from "@/kernel/base";
import { keys, thesisKey } from "../shared/calls";

const quiet = { silent: true } as const;

export interface Message {
  id: number;
  templateNickname: string | null;
  templateContent: string;
  createTime: number;
}

/** The newest unread messages; reading them here does not mark them. */
export function useMessages() {
  return useQuery({
    queryKey: [thesisKey, "messages"],
    queryFn: ({ signal }) =>
      get<PageOf<Message>>(
        "/system/notify-message/my-page",
        { pageNo: 1, pageSize: 5, readStatus: false },
        { ...quiet, signal },
      ),
    retry: false,
  });
}

export interface Notice {
  id: number;
  title: string;
  type: number;
  createTime: number;
}

export function useNotices() {
  return useQuery({
    queryKey: [thesisKey, "notices"],
    queryFn: ({ signal }) =>
      get<PageOf<Notice>>("/system/notice/my-page", { pageNo: 1, pageSize: 5 }, { ...quiet, signal }),
    retry: false,
  });
}

export interface Overview {
  total: number;
  steps: { stepCode: number; status: number; n: number }[];
  audit: { auditState: number; n: number }[];
  depts: { deptId: number; deptName: string; stepCode: number; n: number }[];
}

export function useOverview(enabled = true) {
  return useQuery({
    queryKey: keys.overview,
    queryFn: ({ signal }) => get<Overview>("/thesis/record/overview", undefined, { ...quiet, signal }),
    enabled,
    retry: false,
  });
}

export interface StepWindow {
  id: number;
  version: number;
  semester: string;
  stepCode: number;
  deptId: number;
  degreeLevel: number;
  openAt: number;
  closeAt: number;
}

export function useWindows(enabled: boolean) {
  return useQuery({
    queryKey: ["/thesis/step-window", "home"],
    queryFn: ({ signal }) =>
      get<PageOf<StepWindow>>("/thesis/step-window/page", { pageNo: 1, pageSize: 200 }, { ...quiet, signal }),
    enabled,
    retry: false,
  });
}

/** How many rows a list has; undefined while unknown or not for the reader. */
export function useCount(path: string, query: object, enabled: boolean): number | undefined {
  const { data } = useQuery({
    queryKey: [thesisKey, "count", path, query],
    queryFn: ({ signal }) =>
      get<PageOf<unknown>>(path, { pageNo: 1, pageSize: 1, ...query }, { ...quiet, signal }),
    enabled,
    retry: false,
  });
  return data?.total;
}

/** A task of a process. The levels of a topic are none: they stand in the queue of topics. */
export interface ProcessTask {
  id: string;
  name: string;
  createTime: number;
  processInstanceId: string;
  processInstance: {
    name: string;
    processDefinitionId: string;
    startUser: { nickname: string; deptName: string } | null;
  };
}

/** The process tasks that wait for the reader, with how many there are. */
export function useProcessTodo(size: number, enabled: boolean) {
  const { data } = useQuery({
    // Under the key of the lists of tasks, whose refresh renews it.
    queryKey: ["/bpm/task", "home", size],
    queryFn: ({ signal }) =>
      get<PageOf<ProcessTask>>("/bpm/task/todo-page", { pageNo: 1, pageSize: size }, { ...quiet, signal }),
    enabled,
    retry: false,
  });
  return data;
}

/** Whether the server says that it can take work; it answers outside the envelope. */
export function useReady(enabled: boolean) {
  return useQuery({
    queryKey: [thesisKey, "ready"],
    queryFn: async ({ signal }) => (await fetch(`${basePath}readyz`, { signal, cache: "no-store" })).ok,
    enabled,
    refetchInterval: 60_000,
    retry: false,
  });
}
