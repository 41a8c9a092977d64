import type { BaseRow, Entity } from "@/kernel/crud";
import type { Person } from "../../instance/wire";
import type { Target } from "../wire";

export const RUNNING = 1;

export interface Plan {
  sourceDefinitionId: string;
  targetDefinitionId: string;
  elementMap: Record<string, string>;
  recompute: boolean;
}

export interface Problem {
  elementId: string;
  elementName: string;
  text: string;
}

export interface Trial {
  processInstanceId: string;
  name: string;
  startTime: number;
  problems: Problem[];
}

/** An element of the old version, and the element of the new one that it leads to, if any. */
export interface MappedElement extends Target {
  targetId: string;
  instances: number;
}

export interface Report {
  total: number;
  checked: number;
  fit: number;
  list: Trial[];
  elements: MappedElement[];
  targets: Target[];
}

export interface Migration extends BaseRow {
  processDefinitionKey: string;
  name: string;
  sourceVersion: number;
  targetVersion: number;
  reason: string;
  status: number;
  total: number;
  done: number;
  failed: number;
  user: Person | null;
  createTime: number;
  endTime: number | null;
}

export interface MigrationItem {
  processInstanceId: string;
  name: string;
  migrated: boolean;
  problems: Problem[];
  time: number;
}

/** The calls are written by hand on the server, so the description is too. */
export const migrationEntity: Entity = {
  title: "流程迁移",
  titleEn: "Migration",
  path: "/bpm/migration",
  permission: "bpm:migration",
  query: "bpm:process-instance:manager-query",
  calls: ["page"],
  versioned: false,
  fields: [
    { name: "id", label: "编号", labelEn: "Id", kind: "int", output: true },
    { name: "name", label: "流程", labelEn: "Process", kind: "text", output: true },
    {
      name: "processDefinitionKey",
      label: "流程标识",
      labelEn: "Process key",
      kind: "text",
      filter: "eq",
      output: true,
    },
    { name: "status", label: "状态", labelEn: "Status", kind: "text", output: true },
    { name: "done", label: "进度", labelEn: "Progress", kind: "text", output: true },
    { name: "user", label: "操作人", labelEn: "By", kind: "text", output: true },
    { name: "createTime", label: "开始时间", labelEn: "Started", kind: "time", output: true },
    { name: "endTime", label: "结束时间", labelEn: "Ended", kind: "time", output: true },
    { name: "reason", label: "理由", labelEn: "Reason", kind: "longtext", output: true },
  ],
};
