import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { get, type PageOf, post, put } from "@/kernel/api/client";
import type { BaseRow } from "@/kernel/crud";
import type { FileView } from "../shared/wire";

export interface Feedback extends BaseRow {
  userId: number;
  userName: string;
  deptId: number;
  kind: number;
  title: string;
  content: string;
  images: number[] | null;
  state: number;
  handlerName: string;
  rating: number;
  ratingComment: string;
  lastReplyAt: number;
  closedAt: number;
  reopenCount: number;
  createTime: number;
}

export interface FeedbackLine {
  id: number;
  userName: string;
  fromStaff: boolean;
  content: string;
  imageFiles: FileView[];
  createTime: number;
}

/** actions: reply, handle, close, reopen, rate. */
export interface FeedbackDetail extends Feedback {
  imageFiles: FileView[];
  replies: FeedbackLine[];
  actions: string[];
}

export interface NewFeedback {
  kind: number;
  title: string;
  content: string;
  images?: number[];
}

const base = "/thesis/feedback";
const quiet = { silent: true } as const;
/** The path of the entity: its lists are asked again after every act. */
export const feedbackKey = [base] as const;

export interface FeedbackQuery {
  pageNo: number;
  pageSize: number;
  state?: string;
  kind?: string;
}

export function useFeedbackPage(query: FeedbackQuery) {
  return useQuery({
    queryKey: [...feedbackKey, "page", query],
    queryFn: ({ signal }) => get<PageOf<Feedback>>(`${base}/page`, query, { ...quiet, signal }),
    placeholderData: keepPreviousData,
    retry: false,
  });
}

export function useFeedback(id: number) {
  return useQuery({
    queryKey: [...feedbackKey, "detail", id],
    queryFn: ({ signal }) => get<FeedbackDetail>(`${base}/get`, { id }, { ...quiet, signal }),
    enabled: id > 0,
    retry: false,
  });
}

export function useRefreshFeedback(): () => Promise<void> {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: feedbackKey });
}

export const feedbackCalls = {
  create: (body: NewFeedback, idempotencyKey: string) =>
    post<number>(`${base}/create`, { ...body, images: body.images ?? [] }, { ...quiet, idempotencyKey }),
  reply: (id: number, content: string, images: number[], idempotencyKey: string) =>
    post<number>(`${base}/reply`, { id, content, images }, { ...quiet, idempotencyKey }),
  rate: (id: number, rating: number, comment: string) =>
    put<boolean>(`${base}/rate`, { id, rating, comment }, quiet),
  reopen: (id: number, reason: string) => put<boolean>(`${base}/reopen`, { id, reason }, quiet),
  handle: (id: number) => put<boolean>(`${base}/handle`, { id }, quiet),
  close: (id: number) => put<boolean>(`${base}/close`, { id }, quiet),
};
