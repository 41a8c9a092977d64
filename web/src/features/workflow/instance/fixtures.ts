import { diagramXml, task } from "../viewer/fixtures";
import type { InstanceData } from "./calls";
import type { ApprovalDetail, PathNode } from "./wire";

const T0 = 1795240920000;

export const starter = { id: 1, nickname: "王同学", deptName: "信息学院" };
export const decider = { id: 2, nickname: "刘老师", deptName: "信息学院" };

/** A step on the way of the instance. */
export function node(part: Partial<PathNode>): PathNode {
  return {
    id: "check",
    name: "经理审批",
    nodeType: 11,
    status: 1,
    startTime: T0,
    endTime: null,
    candidateStrategy: null,
    candidateUserIds: [],
    candidateUsers: [],
    tasks: [],
    predicted: false,
    ...part,
  };
}

/** The user task of the fixture's diagram with settings of the model. */
export function xmlWith(settings: string): string {
  return diagramXml("经理审批").replace(
    "<documentation>",
    `<extensionElements xmlns:flowable="http://flowable.org/bpmn">${settings}</extensionElements><documentation>`,
  );
}

interface Parts {
  tasks?: InstanceData["tasks"];
  instance?: Partial<ApprovalDetail["processInstance"]>;
  detail?: Partial<ApprovalDetail>;
  comments?: InstanceData["comments"];
  settings?: string;
}

/** An instance that waits for the decider, unless said otherwise. */
export function instanceData(parts: Parts = {}): InstanceData {
  const tasks = parts.tasks ?? [task({ id: "t1", name: "经理审批", assigneeUser: decider })];
  const open = tasks.find((one) => one.endTime === null) ?? null;
  return {
    tasks,
    activities: [],
    comments: parts.comments ?? [],
    detail: {
      activityNodes: [
        node({ id: "start", name: "提交", nodeType: 0, status: 2, endTime: T0 }),
        node({ tasks: tasks.filter((one) => one.taskDefinitionKey === "check") }),
        node({ id: "boss", name: "校长审批", status: -1, predicted: true, candidateUsers: [starter] }),
      ],
      formFieldsPermission: { title: 1, remark: 2 },
      todoTask: open,
      processDefinition: {
        id: "leave:1:a",
        key: "leave",
        name: "请假",
        version: 1,
        formType: 10,
        formFields: [
          '{"type":"input","field":"title","title":"事由"}',
          '{"type":"input","field":"remark","title":"备注","$required":true}',
        ],
        formCustomViewPath: "",
        bpmnXml: xmlWith(parts.settings ?? ""),
      },
      processInstance: {
        id: "i1",
        name: "王同学的请假",
        number: "",
        categoryName: "人事",
        result: 1,
        suspended: false,
        reason: "",
        startTime: T0,
        endTime: null,
        durationInMillis: null,
        startUser: starter,
        summary: [],
        formVariables: { title: "看病" },
        businessKey: "",
        ...parts.instance,
      },
      ...parts.detail,
    },
  };
}
