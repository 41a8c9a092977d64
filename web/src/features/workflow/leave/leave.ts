import { get, post } from "@/kernel/api/client";
import type { BaseRow, Entity } from "@/kernel/crud";
import type { Picks } from "../process/start/calls";

/** The key of the process that decides applications for leave. */
export const LEAVE_PROCESS = "oa_leave";

export interface Leave extends BaseRow {
  type: number;
  reason: string;
  startTime: number;
  endTime: number;
  day: number;
  status: number;
  createTime: number;
  processInstanceId: string;
}

/** The calls are written by hand on the server, so the description is too. */
export const leaveEntity: Entity = {
  title: "请假申请",
  titleEn: "Applications for leave",
  path: "/bpm/oa/leave",
  permission: "bpm:oa-leave",
  calls: ["page"],
  versioned: false,
  fields: [
    {
      name: "type",
      label: "请假类型",
      labelEn: "Kind of leave",
      kind: "dict",
      dict: "bpm_oa_leave_type",
      filter: "eq",
      output: true,
    },
    {
      name: "status",
      label: "状态",
      labelEn: "State",
      kind: "dict",
      dict: "bpm_process_instance_status",
      filter: "eq",
      output: true,
    },
    { name: "startTime", label: "开始时间", labelEn: "From", kind: "time", output: true },
    { name: "endTime", label: "结束时间", labelEn: "To", kind: "time", output: true },
    { name: "day", label: "天数", labelEn: "Days", kind: "int", output: true },
    { name: "reason", label: "请假事由", labelEn: "Reason", kind: "longtext", filter: "like", output: true },
    {
      name: "createTime",
      label: "申请时间",
      labelEn: "Applied",
      kind: "time",
      filter: "range",
      output: true,
    },
  ],
};

const DAY = 24 * 3_600_000;

/** The days as the server counts them: those that are full. */
export function daysBetween(from: number, to: number): number {
  return Math.floor((to - from) / DAY);
}

export function getLeave(id: string, signal?: AbortSignal): Promise<Leave> {
  return get<Leave>("/bpm/oa/leave/get", { id }, { silent: true, signal });
}

export interface LeaveBody {
  type: number;
  reason: string;
  startTime: number;
  endTime: number;
  startUserSelectAssignees: Picks;
}

export function createLeave(body: LeaveBody, idempotencyKey: string): Promise<number> {
  return post<number>("/bpm/oa/leave/create", body, { silent: true, idempotencyKey });
}
