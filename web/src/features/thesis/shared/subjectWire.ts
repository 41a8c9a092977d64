import type { FileView, Guard, HistoryEntry, OpenTopic, StepView } from "./wire";

/** A topic declaration as lists show it. */
export interface Subject {
  id: number;
  version: number;
  recordId: number;
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
  topicId: number;
  selfProposed: boolean;
  titleZh: string;
  titleEn: string;
  thesisType: number;
  thesisSource: number;
  sourceNo: string;
  reason: string;
  expectedResult: string;
  attachments: number[] | null;
  auditState: number;
  /** Who decides next: 0 nobody, 1 advisor, 2 college, 3 graduate school. */
  level: number;
  submitNo: number;
  submittedAt: number;
  waitingSince: number;
  lateFlag: number;
  needNewFile: boolean;
  newTitleZh: string;
  newTitleEn: string;
  changeReason: string;
  changeMajor: boolean;
  receiptNo: string;
  digest: string;
  createTime: number;
}

/** A title of the university close to the one asked for; it names no person. */
export interface SimilarTitle {
  titleZh: string;
  entryYear: number;
  /** 0 to 1. */
  score: number;
}

/** Why each act that is not possible is not, by its name; the texts are the server's. */
export type Locks = Record<string, string>;

/** A declaration with everything an approver looks at; actions are approve, return, reject. */
export interface SubjectDetail extends Subject {
  files: FileView[];
  topic: OpenTopic | null;
  guards: Guard[];
  editable: boolean;
  lockReason: string;
  actions: string[];
  locks: Locks;
  history: HistoryEntry[];
  similarTitles: SimilarTitle[];
}

/** The policy keys the page needs. */
export interface SubjectRules {
  "subject.third_level": boolean;
  "subject.files_min": number;
  "subject.files_max": number;
  "subject.title_en_required": boolean;
}

/** What GET /thesis/students-subject/my answers. */
export interface MySubject {
  step: StepView;
  form: Subject | null;
  topic: OpenTopic | null;
  files: FileView[];
  guards: Guard[];
  editable: boolean;
  lockReason: string;
  actions: string[];
  locks: Locks;
  rules: SubjectRules;
  attempts: Subject[];
  history: HistoryEntry[];
  serverTime: number;
}

export interface Saved {
  id: number;
  auditState: number;
  version: number;
}

export interface Submitted extends Saved {
  submitNo: number;
  receiptNo: string;
  submittedAt: number;
  digest: string;
  lateFlag: number;
}

/** A declaration that waits for the reader. */
export interface Todo {
  id: number;
  version: number;
  auditState: number;
  level: number;
  titleZh: string;
  newTitleZh: string;
  changeReason: string;
  studentNo: string;
  studentName: string;
  deptName: string;
  majorName: string;
  advisorName: string;
  submitNo: number;
  submittedAt: number;
  lateFlag: number;
  waitingSince: number;
  waitingHours: number;
}

export interface BatchResult {
  id: number;
  ok: boolean;
  code: number;
  msg: string;
  auditState: number;
}
