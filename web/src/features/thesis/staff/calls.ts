import { useQuery } from "@tanstack/react-query";
import { get, type PageOf, post, put } from "@/kernel/api/client";
import type { BaseRow } from "@/kernel/crud";
import { thesisKey } from "../shared/calls";
import type { Guard, HistoryEntry } from "../shared/wire";

const quiet = { silent: true } as const;

export interface ThesisRecord extends BaseRow {
  studentId: number;
  studentNo: string;
  studentName: string;
  deptId: number;
  deptName: string;
  majorName: string;
  degreeLevel: number;
  entryYear: number;
  advisorId: number;
  advisorName: string;
  recordNo: string;
  titleZh: string;
  titleEn: string;
  thesisType: number;
  thesisSource: number;
  currentStep: number;
  stepStatus: number;
  lifeState: number;
  latestEndDate: string;
}

/** The history of a thesis; intact tells that its chain of hashes holds. */
export interface History {
  intact: boolean;
  list: HistoryEntry[];
}

export function useHistory(recordId: number) {
  return useQuery({
    queryKey: [thesisKey, "history", recordId],
    queryFn: ({ signal }) => get<History>("/thesis/record/history", { id: recordId }, { ...quiet, signal }),
    enabled: recordId > 0,
    retry: false,
  });
}

export interface Ineligible {
  recordId: number;
  studentNo: string;
  studentName: string;
  deptId: number;
  advisorName: string;
  stepStatus: number;
  guards: Guard[];
}

export function useIneligible(step: number, pageNo: number, pageSize: number) {
  const query = { step, pageNo, pageSize };
  return useQuery({
    queryKey: [thesisKey, "ineligible", query],
    queryFn: ({ signal }) =>
      get<PageOf<Ineligible>>("/thesis/record/ineligible", query, { ...quiet, signal }),
    retry: false,
  });
}

export interface Extension {
  stepCode: number;
  until: number;
  reason: string;
}

export function extend(recordId: number, body: Extension): Promise<boolean> {
  return put<boolean>("/thesis/record/override", { recordId, ...body }, quiet);
}

export function waive(recordId: number, stepCode: number, reason: string): Promise<boolean> {
  return put<boolean>("/thesis/record/waive", { recordId, stepCode, reason }, quiet);
}

export function copySemester(body: { from: string; to: string; shiftDays: number }): Promise<number> {
  return post<number>(
    "/thesis/step-window/copy-semester",
    { ...body, shiftDays: body.shiftDays ?? 0 },
    quiet,
  );
}
