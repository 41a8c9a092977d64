import type { MySubject, Subject, SubjectDetail, Todo } from "./subjectWire";
import {
  Audit,
  type Guard,
  type HistoryEntry,
  type OpenTopic,
  type Progress,
  Status,
  type StepView,
  stepCodes,
} from "./wire";

/** The server's clock in tests: 2026-04-15 09:00 in Shanghai. */
export const NOW = Date.UTC(2026, 3, 15, 1, 0);
export const DAY = 24 * 3_600_000;

export const guard = (code: string, passed = true, text = code, link = ""): Guard => ({
  code,
  passed,
  text,
  current: 0,
  required: 1,
  link,
});

export function stepView(stepCode: number, part: Partial<StepView> = {}): StepView {
  return {
    stepCode,
    name: "",
    built: stepCode === 20,
    attemptNo: 1,
    status: Status.Locked,
    openAt: 0,
    dueAt: 0,
    graceMinutes: 10,
    finishedAt: 0,
    formId: 0,
    resultNote: "",
    guards: [],
    actions: [],
    editable: false,
    lockReason: "",
    version: 1,
    ...part,
  };
}

export function subject(part: Partial<Subject> = {}): Subject {
  return {
    id: 812,
    version: 3,
    recordId: 40,
    studentId: 9,
    studentNo: "202501001",
    studentName: "林小满",
    deptId: 11,
    deptName: "信息学院",
    majorName: "软件工程",
    degreeLevel: 3,
    entryYear: 2025,
    advisorId: 5,
    advisorName: "陈远",
    topicId: 0,
    selfProposed: true,
    titleZh: "面向研究生培养的流程引擎研究",
    titleEn: "",
    thesisType: 2,
    thesisSource: 9,
    sourceNo: "",
    reason: "理由".repeat(60),
    expectedResult: "",
    attachments: [],
    auditState: Audit.Draft,
    level: 0,
    submitNo: 0,
    submittedAt: 0,
    waitingSince: 0,
    lateFlag: 0,
    needNewFile: false,
    newTitleZh: "",
    newTitleEn: "",
    changeReason: "",
    changeMajor: false,
    receiptNo: "",
    digest: "",
    createTime: NOW - DAY,
    ...part,
  };
}

export function history(event: string, text: string, part: Partial<HistoryEntry> = {}): HistoryEntry {
  return {
    time: NOW - DAY,
    stepCode: 20,
    formId: 812,
    event,
    text,
    actorName: "陈远",
    actorKind: 1,
    from: 3,
    to: 4,
    fromAudit: 1,
    toAudit: 5,
    level: 1,
    reason: "",
    files: [],
    ...part,
  };
}

export function mySubject(part: Partial<MySubject> = {}, step: Partial<StepView> = {}): MySubject {
  const view = stepView(20, {
    status: Status.Open,
    openAt: NOW - 10 * DAY,
    dueAt: NOW + 5 * DAY,
    editable: true,
    actions: ["save-draft", "submit"],
    guards: [guard("G_STATUS_ACTIVE", true, "学籍状态正常（在读）"), guard("G_WINDOW", true, "办理时间内")],
    ...step,
  });
  return {
    step: view,
    form: null,
    topic: null,
    files: [],
    guards: view.guards,
    editable: view.editable,
    lockReason: view.lockReason,
    actions: view.actions,
    locks: {},
    rules: {
      "subject.third_level": false,
      "subject.files_min": 0,
      "subject.files_max": 3,
      "subject.title_en_required": false,
    },
    attempts: [],
    history: [],
    serverTime: NOW,
    ...part,
  };
}

export function progress(part: Partial<Progress> = {}): Progress {
  return {
    record: {
      id: 40,
      recordNo: "202511000009",
      titleZh: "",
      titleEn: "",
      lifeState: 1,
      latestEndDate: "2030-09-01",
      daysLeft: 1600,
    },
    steps: stepCodes.map((code) =>
      stepView(code, { status: code === 10 ? Status.Passed : code === 20 ? Status.Open : Status.Locked }),
    ),
    nextAction: {
      stepCode: 20,
      text: "请办理“选题”环节",
      dueAt: NOW + 5 * DAY,
      link: "/myThesis/students-subject",
    },
    serverTime: NOW,
    ...part,
  };
}

export function openTopic(id: number, part: Partial<OpenTopic> = {}): OpenTopic {
  return {
    id,
    title: `课题${id}：知识图谱构建`,
    summary: "研究内容",
    thesisType: 2,
    thesisSource: 8,
    sourceNo: "",
    advisorId: 5,
    advisorName: "陈远",
    deptName: "信息学院",
    maxStudents: 2,
    remaining: 1,
    ownAdvisor: id === 1,
    ...part,
  };
}

export function detail(part: Partial<SubjectDetail> = {}): SubjectDetail {
  return {
    ...subject({
      auditState: Audit.Advisor,
      level: 1,
      submitNo: 1,
      submittedAt: NOW - DAY,
      waitingSince: NOW - DAY,
    }),
    files: [],
    topic: null,
    guards: [],
    editable: false,
    lockReason: "",
    actions: ["approve", "return", "reject"],
    locks: {},
    history: [history("submit", "提交", { actorName: "林小满", level: 0 })],
    similarTitles: [],
    ...part,
  };
}

export function todo(id: number, part: Partial<Todo> = {}): Todo {
  return {
    id,
    version: 3,
    auditState: Audit.Advisor,
    level: 1,
    titleZh: `题目${id}`,
    newTitleZh: "",
    changeReason: "",
    studentNo: `2025010${id}`,
    studentName: `学生${id}`,
    deptName: "信息学院",
    majorName: "软件工程",
    advisorName: "陈远",
    submitNo: 1,
    submittedAt: NOW - DAY,
    lateFlag: 0,
    waitingSince: NOW - id * DAY,
    waitingHours: 24 * id,
    ...part,
  };
}

/** The dictionaries the pages show. */
export const dicts = {
  student_subject_audit_state: {
    0: "草稿",
    1: "待导师审核",
    2: "待学院审核",
    4: "已通过",
    5: "退回修改",
    6: "不通过",
    8: "变更审批中",
  },
  thesis_type: { 1: "基础研究", 2: "应用研究" },
  thesis_source: { 1: "国家重大/重点研发", 8: "导师自选", 9: "学生自拟" },
  thesis_degree_level: { 2: "博士", 3: "硕士" },
  thesis_step_status: { 0: "未开启", 1: "可办理", 3: "审批中" },
  thesis_feedback_state: { 0: "待处理", 1: "处理中", 2: "已回复", 3: "已关闭", 4: "已重开" },
  thesis_feedback_kind: { 1: "系统使用", 2: "选题与论文" },
  thesis_supervision_role: { 1: "主导师" },
  thesis_title_rank: { 1: "正高" },
};

/** Matches the label of a field, whatever mark follows it. */
export const labelled = (text: string) => new RegExp(`^${text}( \\*|（选填）)?$`);
