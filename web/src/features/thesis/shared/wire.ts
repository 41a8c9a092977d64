import type { BaseRow } from "@/kernel/crud";

/** One condition of the server: the answer to "why can I not?". */
export interface Guard {
  code: string;
  passed: boolean;
  text: string;
  current: unknown;
  required: unknown;
  link: string;
}

/** Numbers of the steps, in order (dictionary thesis_step). */
export const stepCodes: readonly number[] = [10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110];
export const STEP_SUBJECT = 20;

/** States of a step (dictionary thesis_step_status). */
export const Status = {
  Locked: 0,
  Open: 1,
  Draft: 2,
  InApproval: 3,
  Returned: 4,
  Running: 5,
  ResultPending: 6,
  Passed: 7,
  PassedWithRevision: 8,
  Failed: 9,
  Expired: 10,
  Withdrawn: 11,
  Waived: 12,
} as const;

/** States of a declaration (dictionary student_subject_audit_state). */
export const Audit = {
  Draft: 0,
  Advisor: 1,
  College: 2,
  Graduate: 3,
  Passed: 4,
  Returned: 5,
  Rejected: 6,
  Withdrawn: 7,
  Changing: 8,
} as const;

export interface FileView {
  id: number;
  name: string;
  size?: number;
  sha256?: string;
  mime?: string;
}

/** One line of a thesis's history. */
export interface HistoryEntry {
  time: number;
  stepCode: number;
  formId: number;
  event: string;
  /** The event in the reader's language. */
  text: string;
  actorName: string;
  actorKind: number;
  from: number;
  to: number;
  fromAudit: number;
  toAudit: number;
  level: number;
  reason: string;
  files: FileView[] | null;
}

/** Where one step of a student stands and what can be done. */
export interface StepView {
  stepCode: number;
  name: string;
  built: boolean;
  attemptNo: number;
  status: number;
  openAt: number;
  dueAt: number;
  graceMinutes: number;
  finishedAt: number;
  formId: number;
  resultNote: string;
  guards: Guard[];
  actions: string[];
  editable: boolean;
  lockReason: string;
  version: number;
}

/** What GET /thesis/record/my-progress answers. */
export interface Progress {
  record: {
    id: number;
    recordNo: string;
    titleZh: string;
    titleEn: string;
    lifeState: number;
    latestEndDate: string;
    daysLeft: number;
  };
  steps: StepView[];
  nextAction: { stepCode: number; text: string; dueAt: number; link: string } | null;
  serverTime: number;
}

export interface OpenTopic extends BaseRow {
  title: string;
  summary: string;
  thesisType: number;
  thesisSource: number;
  sourceNo: string;
  advisorId: number;
  advisorName: string;
  deptName: string;
  maxStudents: number;
  remaining: number;
  /** The topic of the student's own advisor. */
  ownAdvisor: boolean;
}

export interface Mentor {
  role: number;
  advisorId: number;
  name: string;
  titleRank: number;
  deptName: string;
  email: string;
  researchKeywords: string[] | null;
  officeHours: string;
  startDate: string;
  endDate: string;
}

export interface MyMentor {
  current: Mentor[];
  history: Mentor[];
  hint: string;
}
