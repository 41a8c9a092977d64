const ann = { id: 3, nickname: "陈远", avatar: "", deptId: 1, deptName: "研究生院" };

export const instance = {
  id: "i-1",
  name: "请假：李明",
  processDefinitionId: "leave:2:x",
  processDefinitionKey: "leave",
  categoryName: "行政办公",
  status: 1,
  suspended: false,
  reason: "",
  startTime: 1795240920000,
  createTime: 1795240920000,
  endTime: null,
  durationInMillis: null,
  startUser: { ...ann, id: 4, nickname: "李明" },
  tasks: [{ id: "i-1.3", name: "导师审批", assigneeUser: ann }],
};

export const incident = {
  id: "i-1.9",
  processInstanceId: "i-1",
  processInstanceName: "请假：李明",
  processName: "请假",
  version: 2,
  suspended: false,
  elementId: "calc",
  elementName: "计算天数",
  elementType: "serviceTask",
  kind: "expression",
  message: "calc: 第 6 个字符：除数为零",
  createTime: 1795240920000,
  resolveTime: null,
};

export const detail = {
  ...instance,
  version: 2,
  parentId: "",
  children: [],
  places: [
    {
      id: "i-1.2",
      elementId: "calc",
      elementName: "计算天数",
      elementType: "serviceTask",
      state: "incident",
      since: 1795240920000,
      people: [],
      movable: true,
    },
  ],
  targets: [
    { elementId: "calc", elementName: "计算天数", elementType: "serviceTask" },
    { elementId: "check", elementName: "学院审核", elementType: "userTask" },
  ],
  variables: [
    { scope: "", elementId: "", elementName: "", name: "by", type: "integer", value: "0", locked: false },
    {
      scope: "",
      elementId: "",
      elementName: "",
      name: "PROCESS_START_USER_ID",
      type: "integer",
      value: "4",
      locked: true,
    },
  ],
  incidents: [incident],
};

export const task = {
  id: "i-1.3",
  name: "导师审批",
  status: 1,
  reason: "",
  createTime: 1795240920000,
  endTime: null,
  durationInMillis: null,
  assigneeUser: ann,
  processInstanceId: "i-1",
  processInstance: { name: "请假：李明", startUserNickname: "李明" },
};

export const migration = {
  id: 5,
  processDefinitionKey: "leave",
  name: "请假",
  sourceVersion: 1,
  targetVersion: 2,
  reason: "新制度",
  status: 2,
  total: 3,
  done: 2,
  failed: 1,
  user: ann,
  createTime: 1795240920000,
  endTime: 1795240930000,
};

export const report = {
  total: 2,
  checked: 2,
  fit: 1,
  list: [
    {
      processInstanceId: "i-2",
      name: "请假：周明",
      startTime: 1795240920000,
      problems: [{ elementId: "b", elementName: "学院审核", text: "新版本中没有对应的节点" }],
    },
    { processInstanceId: "i-1", name: "请假：李明", startTime: 1795240920000, problems: [] },
  ],
  elements: [
    { elementId: "a", elementName: "导师审批", elementType: "userTask", targetId: "a", instances: 1 },
    { elementId: "b", elementName: "学院审核", elementType: "userTask", targetId: "", instances: 1 },
  ],
  targets: [
    { elementId: "a", elementName: "导师审批", elementType: "userTask" },
    { elementId: "b2", elementName: "院长审核", elementType: "userTask" },
    { elementId: "e", elementName: "", elementType: "endEvent" },
  ],
};

export const versions = [2, 1].map((version) => ({
  id: `leave:${version}:x`,
  key: "leave",
  name: "请假",
  version,
  deploymentTime: 1795240920000,
}));

const hour = 3_600_000;

export const period = {
  from: "2026-11-20",
  to: "2026-11-22",
  steps: [
    {
      processDefinitionKey: "leave",
      processName: "请假",
      elementId: "a",
      name: "导师审批",
      tasks: 7,
      late: 2,
      median: 26 * hour,
      p90: 50 * hour,
      mean: 30 * hour,
    },
  ],
  days: ["2026-11-20", "2026-11-21", "2026-11-22"].map((day, at) => ({
    day,
    started: at + 1,
    approved: at,
    rejected: 1,
    cancelled: 0,
  })),
  people: [{ user: ann, tasks: 7, late: 2, mean: 30 * hour }],
};

export const present = {
  tasks: 4,
  longWait: 3,
  overdue: 1,
  incidents: 2,
  people: [{ user: ann, tasks: 4, longWait: 3, overdue: 1, oldest: 1795240920000 }],
};
