import { useQuery } from "@tanstack/react-query";
import { get, type PageOf, put } from "@/kernel/api/client";
import type { BaseRow } from "@/kernel/crud";
import { keys } from "../shared/calls";

const quiet = { silent: true } as const;

export interface MyStudent {
  studentId: number;
  studentNo: string;
  studentName: string;
  deptName: string;
  majorName: string;
  degreeLevel: number;
  entryYear: number;
  lifeState: number;
  role: number;
  recordId: number;
  titleZh: string;
  currentStep: number;
  stepStatus: number;
  subjectId: number;
  auditState: number;
  waitingForMe: boolean;
  lastActivity: number;
  idleDays: number;
  dueAt: number;
}

export function useMyStudents(keyword = "") {
  const query = { pageNo: 1, pageSize: 500, keyword: keyword || undefined };
  return useQuery({
    queryKey: [...keys.students, query],
    queryFn: ({ signal }) =>
      get<PageOf<MyStudent>>("/thesis/advisor/my-students", query, { ...quiet, signal }),
    retry: false,
  });
}

export interface Topic extends BaseRow {
  advisorId: number;
  advisorName: string;
  deptId: number;
  title: string;
  summary: string;
  thesisType: number;
  thesisSource: number;
  sourceNo: string;
  degreeLevel: number;
  majorIds: number[] | null;
  semester: string;
  maxStudents: number;
  takenCount: number;
  /** 0 draft, 1 published, 2 closed. */
  state: number;
}

export const TOPIC_PUBLISHED = 1;

export function useTopics(advisorId: number) {
  const query = { pageNo: 1, pageSize: 20, advisorId };
  return useQuery({
    queryKey: ["/thesis/topic", "mine", query],
    queryFn: ({ signal }) => get<PageOf<Topic>>("/thesis/topic/page", query, { ...quiet, signal }),
    enabled: advisorId > 0,
    retry: false,
  });
}

export function setTopicState(row: Topic, act: "publish" | "close"): Promise<boolean> {
  return put<boolean>(`/thesis/topic/${act}`, undefined, {
    ...quiet,
    query: { id: row.id, version: row.version },
  });
}
