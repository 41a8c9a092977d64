import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { get, type PageOf, put } from "@/kernel/api/client";
import { keys } from "../shared/calls";
import type { BatchResult, Saved, SubjectDetail, Todo } from "../shared/subjectWire";

const base = "/thesis/students-subject";
const quiet = { silent: true } as const;

/** The queue grows by so many, up to the largest page the server gives. */
export const QUEUE_SIZE = 50;
export const QUEUE_MOST = 500;

export interface TodoFilter {
  keyword: string;
  level: number;
}

/** What waits for the reader, the oldest first. */
export function useTodo(
  { keyword, level }: TodoFilter = { keyword: "", level: 0 },
  size = QUEUE_SIZE,
  enabled = true,
) {
  const query = { pageNo: 1, pageSize: size, keyword: keyword || undefined, level: level || undefined };
  return useQuery({
    queryKey: [...keys.todo, query],
    queryFn: ({ signal }) => get<PageOf<Todo>>(`${base}/todo-page`, query, { ...quiet, signal }),
    placeholderData: keepPreviousData,
    retry: false,
    enabled,
  });
}

export function useSubject(id: number) {
  return useQuery({
    queryKey: keys.subject(id),
    queryFn: ({ signal }) => get<SubjectDetail>(`${base}/get`, { id }, { ...quiet, signal }),
    enabled: id > 0,
    retry: false,
  });
}

export type Verdict = "approve" | "return" | "reject";

export interface VerdictBody {
  id: number;
  version: number;
  opinion: string;
  needNewFile: boolean;
}

export function decide(verdict: Verdict, body: VerdictBody, idempotencyKey: string): Promise<Saved> {
  return put<Saved>(`${base}/${verdict}`, body, { ...quiet, idempotencyKey });
}

export interface BatchBody {
  items: { id: number; version: number }[];
  opinion: string;
  dryRun: boolean;
}

export function batchApprove(body: BatchBody): Promise<BatchResult[]> {
  return put<BatchResult[]>(`${base}/batch-approve`, body, { ...quiet, timeout: 120_000 });
}
