import { t } from "@/kernel/i18n";

/** What a slot of the server takes; the server decides by content, this only saves a vain upload. */
export interface SlotRule {
  extensions: string[];
  maxBytes: number;
}

const MB = 1024 * 1024;

const rules: Record<string, SlotRule> = {
  avatar: { extensions: ["png", "jpg", "jpeg", "webp", "gif"], maxBytes: 2 * MB },
  image: { extensions: ["png", "jpg", "jpeg", "webp", "gif"], maxBytes: 5 * MB },
  document: { extensions: ["pdf", "doc", "docx"], maxBytes: 50 * MB },
};

export function slotRule(slot: string): SlotRule {
  return rules[slot] ?? { extensions: [], maxBytes: 50 * MB };
}

export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  if (bytes < MB) return `${(bytes / 1024).toFixed(1)} KB`;
  if (bytes < 1024 * MB) return `${trim(bytes / MB)} MB`;
  return `${trim(bytes / 1024 / MB)} GB`;
}

function trim(value: number): string {
  return value.toFixed(1).replace(/\.0$/, "");
}

export function typeNames(rule: SlotRule): string {
  return rule.extensions.map((e) => e.toUpperCase()).join("、");
}

/** Why a file cannot be taken, in words for the user; "" when it can. */
export function refusal(file: File, slot: string): string {
  const rule = slotRule(slot);
  const dot = file.name.lastIndexOf(".");
  const extension = dot < 0 ? "" : file.name.slice(dot + 1).toLowerCase();
  if (rule.extensions.length > 0 && !rule.extensions.includes(extension)) {
    const actual = extension ? `.${extension}` : file.name;
    return t("kernel:upload.badType", { types: typeNames(rule), actual });
  }
  if (file.size === 0) return t("kernel:upload.emptyFile", { name: file.name });
  if (file.size > rule.maxBytes) {
    return t("kernel:upload.tooBig", {
      name: file.name,
      actual: formatBytes(file.size),
      size: formatBytes(rule.maxBytes),
    });
  }
  return "";
}

export function restTime(seconds: number): string {
  if (!Number.isFinite(seconds)) return "…";
  if (seconds < 60) return t("kernel:upload.seconds", { count: Math.max(1, Math.ceil(seconds)) });
  return t("kernel:upload.minutes", { count: Math.ceil(seconds / 60) });
}
