import { get, put } from "@/kernel/api/client";
import type { Model } from "../entity";
import type { NumberRule } from "./number";

export interface HookParam {
  key: string;
  /** 1 a field of the form, 2 the value itself. */
  type?: number;
  value: string;
}

export interface Hook {
  url: string;
  header: HookParam[];
  body: HookParam[];
  response: HookParam[];
}

export const hookNames = [
  "processBeforeTriggerSetting",
  "processAfterTriggerSetting",
  "taskBeforeTriggerSetting",
  "taskAfterTriggerSetting",
] as const;

export type HookName = (typeof hookNames)[number];

/** What the settings of a model hold beside its diagram and form. */
export interface Settings extends Record<HookName, Hook> {
  visible: boolean;
  startUserIds: number[];
  startDeptIds: number[];
  managerUserIds: number[];
  allowCancelRunningProcess: boolean;
  allowWithdrawTask: boolean;
  autoApprovalType: number;
  processIdRule: NumberRule;
  titleSetting: { enable: boolean; title: string };
  summarySetting: { enable: boolean; summary: string[] };
  printTemplateSetting: { enable: boolean; template: string };
}

export interface StoredSettings extends Model, Partial<Record<HookName, Hook | null>> {
  version: number;
  allowCancelRunningProcess: boolean;
  allowWithdrawTask: boolean;
  autoApprovalType: number;
  processIdRule: NumberRule | null;
  titleSetting: Settings["titleSetting"] | null;
  summarySetting: Settings["summarySetting"] | null;
  printTemplateSetting: Settings["printTemplateSetting"] | null;
}

const hook = (stored: Hook | null | undefined): Hook => ({
  url: stored?.url ?? "",
  header: stored?.header ?? [],
  body: stored?.body ?? [],
  response: stored?.response ?? [],
});

/** What the form shows of a model. */
export function settingsOf(model: StoredSettings): Settings {
  const rule = model.processIdRule ?? {
    enable: false,
    prefix: "",
    infix: "yyyyMMdd",
    postfix: "",
    length: 4,
  };
  return {
    visible: model.visible,
    startUserIds: model.startUserIds,
    startDeptIds: model.startDeptIds,
    managerUserIds: model.managerUserIds,
    allowCancelRunningProcess: model.allowCancelRunningProcess,
    allowWithdrawTask: model.allowWithdrawTask,
    autoApprovalType: model.autoApprovalType,
    processIdRule: rule,
    titleSetting: model.titleSetting ?? { enable: false, title: "" },
    summarySetting: {
      enable: model.summarySetting?.enable ?? false,
      summary: model.summarySetting?.summary ?? [],
    },
    printTemplateSetting: model.printTemplateSetting ?? { enable: false, template: "" },
    processBeforeTriggerSetting: hook(model.processBeforeTriggerSetting),
    processAfterTriggerSetting: hook(model.processAfterTriggerSetting),
    taskBeforeTriggerSetting: hook(model.taskBeforeTriggerSetting),
    taskAfterTriggerSetting: hook(model.taskAfterTriggerSetting),
  };
}

/** The members a refusal of the server may name. */
export const members: (keyof Settings)[] = [
  "startUserIds",
  "startDeptIds",
  "managerUserIds",
  "titleSetting",
  "summarySetting",
  "processIdRule",
  "autoApprovalType",
  "printTemplateSetting",
  ...hookNames,
];

export function readSettings(id: Model["id"], signal: AbortSignal): Promise<StoredSettings> {
  return get<StoredSettings>("/bpm/model/get", { id }, { silent: true, signal });
}

export function saveSettings(model: StoredSettings, settings: Settings): Promise<boolean> {
  const body = { id: model.id, version: model.version, ...settings };
  return put<boolean>("/bpm/model/update", body, { silent: true });
}
