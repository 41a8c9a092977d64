import { useQuery, useQueryClient } from "@tanstack/react-query";
import { get, post, put } from "@/kernel/api/client";
import { keys, thesisKey } from "../shared/calls";
import type { MySubject, Saved, SimilarTitle, Submitted } from "../shared/subjectWire";

const base = "/thesis/students-subject";
const quiet = { silent: true } as const;

export function useMySubject() {
  return useQuery({
    queryKey: keys.mySubject,
    queryFn: ({ signal }) => get<MySubject>(`${base}/my`, undefined, { ...quiet, signal }),
    retry: false,
  });
}

/** Everything the student sees of his thesis is asked again after an act. */
export function useRefreshThesis(): () => Promise<void> {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: [thesisKey] });
}

export function saveDraft(body: object): Promise<Saved> {
  return post<Saved>(`${base}/save-draft`, body, quiet);
}

export function submitSubject(body: object, idempotencyKey: string): Promise<Submitted> {
  return post<Submitted>(`${base}/submit`, body, { ...quiet, idempotencyKey });
}

export function withdrawSubject(id: number, version: number): Promise<boolean> {
  return put<boolean>(`${base}/withdraw`, undefined, { ...quiet, query: { id, version } });
}

export interface TitleChange {
  titleZh: string;
  titleEn: string;
  reason: string;
  major: boolean;
}

export function changeTitle(
  id: number,
  version: number,
  change: TitleChange,
  idempotencyKey: string,
): Promise<Saved> {
  return post<Saved>(`${base}/change-title`, { id, version, ...change }, { ...quiet, idempotencyKey });
}

export function findSimilar(title: string, signal: AbortSignal): Promise<SimilarTitle[]> {
  return get<SimilarTitle[]>(`${base}/similar-titles`, { title }, { ...quiet, signal });
}
