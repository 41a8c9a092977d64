import type { BaseRow, Entity } from "@/kernel/crud";

/** Values of the dictionary bpm_model_form_type. */
export const FORM_RECORD = 10;
export const FORM_BUSINESS = 20;

/** Suspension states of a deployed version. */
export const ACTIVE = 1;
export const SUSPENDED = 2;

export interface Brief {
  id: number;
  nickname?: string;
  name?: string;
}

/** On the wire the id of a model is a text; the list kit only passes it on. */
export interface Model extends BaseRow {
  key: string;
  name: string;
  description: string;
  category: string;
  categoryName: string;
  formType: number | null;
  formId: number | null;
  formName: string;
  formCustomCreatePath: string;
  formCustomViewPath: string;
  visible: boolean;
  startUserIds: number[];
  startDeptIds: number[];
  managerUserIds: number[];
  startUsers: Brief[];
  startDepts: Brief[];
  hasDiagram: boolean;
  processDefinition: {
    id: string;
    version: number;
    deploymentTime: number;
    suspensionState: number;
    /** How many of its instances have not ended. */
    running: number;
  } | null;
  updateTime: number;
}

const users = "/system/user/list-all-simple";

/** The calls are written by hand on the server, so the descriptions are too. */
export const modelEntity: Entity = {
  title: "流程模型",
  titleEn: "Process model",
  path: "/bpm/model",
  permission: "bpm:model",
  calls: ["page", "get", "create", "update", "delete"],
  versioned: true,
  fields: [
    { name: "id", label: "编号", labelEn: "Id", kind: "text", output: true },
    {
      name: "name",
      label: "流程名称",
      labelEn: "Name",
      kind: "text",
      required: true,
      max: 100,
      filter: "like",
      input: true,
      output: true,
    },
    {
      name: "key",
      label: "流程标识",
      labelEn: "Key",
      kind: "text",
      required: true,
      max: 64,
      filter: "eq",
      input: true,
      output: true,
    },
    {
      name: "category",
      label: "流程分类",
      labelEn: "Category",
      kind: "text",
      filter: "eq",
      input: true,
      output: true,
    },
    {
      name: "description",
      label: "流程描述",
      labelEn: "Description",
      kind: "longtext",
      max: 500,
      input: true,
      output: true,
    },
    {
      name: "formType",
      label: "表单类型",
      labelEn: "Kind of form",
      kind: "dict",
      dict: "bpm_model_form_type",
      input: true,
      output: true,
    },
    { name: "formId", label: "流程表单", labelEn: "Form", kind: "ref", input: true, output: true },
    {
      name: "formCustomCreatePath",
      label: "提交页面",
      labelEn: "Page to submit",
      kind: "text",
      max: 200,
      input: true,
      output: true,
    },
    {
      name: "formCustomViewPath",
      label: "查看页面",
      labelEn: "Page to view",
      kind: "text",
      max: 200,
      input: true,
      output: true,
    },
    {
      name: "startUserIds",
      label: "可发起的人",
      labelEn: "Who may start",
      kind: "refs",
      ref: users,
      input: true,
      output: true,
    },
    {
      name: "startDeptIds",
      label: "可发起的部门",
      labelEn: "Departments that may start",
      kind: "refs",
      ref: "/system/dept/list-all-simple",
      input: true,
      output: true,
    },
    {
      name: "managerUserIds",
      label: "流程管理员",
      labelEn: "Managers",
      kind: "refs",
      ref: users,
      input: true,
      output: true,
    },
    {
      name: "visible",
      label: "发起页可见",
      labelEn: "Shown for starting",
      kind: "bool",
      input: true,
      output: true,
    },
    { name: "updateTime", label: "修改时间", labelEn: "Changed", kind: "time", output: true },
  ],
};

export interface Definition extends BaseRow {
  key: string;
  name: string;
  description: string;
  categoryName: string;
  formType: number | null;
  formName: string;
  formCustomCreatePath: string;
  suspensionState: number;
  deploymentTime: number;
  modelId: string;
}

export const definitionEntity: Entity = {
  title: "流程定义",
  titleEn: "Process definition",
  path: "/bpm/process-definition",
  permission: "bpm:process-definition",
  calls: ["page"],
  versioned: false,
  fields: [
    { name: "id", label: "定义编号", labelEn: "Definition id", kind: "text", output: true },
    { name: "name", label: "流程名称", labelEn: "Name", kind: "text", output: true },
    { name: "key", label: "流程标识", labelEn: "Key", kind: "text", filter: "eq", output: true },
    { name: "version", label: "版本", labelEn: "Version", kind: "int", output: true },
    { name: "categoryName", label: "流程分类", labelEn: "Category", kind: "text", output: true },
    { name: "formName", label: "表单", labelEn: "Form", kind: "text", output: true },
    { name: "suspensionState", label: "状态", labelEn: "State", kind: "int", output: true },
    { name: "deploymentTime", label: "发布时间", labelEn: "Deployed", kind: "time", output: true },
    { name: "description", label: "流程描述", labelEn: "Description", kind: "longtext", output: true },
  ],
};
