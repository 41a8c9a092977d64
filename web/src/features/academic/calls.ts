import { get, type PageOf, post, put } from "@/kernel/api/client";
import type { BaseRow } from "@/kernel/crud";

export interface Student extends BaseRow {
  userId: number;
  studentNo: string;
  name: string;
  pinyin: string;
  sex: number;
  mobile: string;
  email: string;
  deptId: number;
  deptName: string;
  majorId: number;
  majorName: string;
  degreeLevel: number;
  degreeType: number;
  studyMode: number;
  entryYear: number;
  entrySemester: string;
  baseMonths: number;
  maxMonths: number;
  suspendedDays: number;
  lifeState: number;
  researchField: string;
  realNameState: number;
  feeCleared: boolean;
  advisorId: number;
  advisorName: string;
}

export interface Assignment {
  advisorId: number;
  reason?: string;
}

/** Makes an advisor the main advisor of the students; a former one ends today. */
export function assignAdvisor(
  studentIds: number[],
  { advisorId, reason = "" }: Assignment,
): Promise<unknown> {
  const [studentId] = studentIds;
  if (studentIds.length === 1) {
    return put(
      "/thesis/students/assign-advisor",
      { studentId, advisorId, role: 1, reason },
      { silent: true },
    );
  }
  return post("/thesis/students/batch-assign", { studentIds, advisorId, reason }, { silent: true });
}

export function setRealName(id: number, state: number): Promise<unknown> {
  return put("/thesis/students/set-real-name", { id, state }, { silent: true });
}

export function endSupervision(id: number, reason: string): Promise<unknown> {
  return put("/thesis/supervision/end", { id, reason }, { silent: true });
}

export function findStudents(keyword: string, signal?: AbortSignal): Promise<PageOf<Student>> {
  const byNumber = /^[A-Za-z]*\d+$/.test(keyword);
  const query = {
    pageNo: 1,
    pageSize: 20,
    ...(keyword ? { [byNumber ? "studentNo" : "name"]: keyword } : {}),
  };
  return get<PageOf<Student>>("/thesis/students/page", query, { silent: true, signal });
}
