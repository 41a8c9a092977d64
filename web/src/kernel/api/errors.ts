import { t } from "@/kernel/i18n";

/** Codes the client itself gives to failures without an envelope. */
export const NETWORK_ERROR = -1;
export const TIMEOUT_ERROR = -2;
export const ABORTED = -3;

/** A call that was answered with a code other than success, or not at all. */
export class ApiError extends Error {
  readonly code: number;
  readonly msg: string;
  readonly data: unknown;
  /** Field name to message, when the server rejected single fields. */
  readonly fields: Record<string, string> | undefined;

  constructor(code: number, msg: string, data?: unknown, fields?: Record<string, string>) {
    super(msg);
    this.name = "ApiError";
    this.code = code;
    this.msg = msg;
    this.data = data;
    this.fields = fields;
  }
}

/** Refresh failures are recognised by their text: the contract fixes it to the letter. */
export const refreshFailures = ["无效的刷新令牌", "刷新令牌已过期"];

/** Fallback text of an answer without msg. */
export function codeText(code: number): string {
  if (code === 401) return t("kernel:error.401");
  if (code === 403) return t("kernel:error.403");
  if (code === 404) return t("kernel:error.404");
  return t("kernel:error.default");
}

export function isForbidden(error: unknown): boolean {
  return error instanceof ApiError && error.code === 403;
}

export function isAborted(error: unknown): boolean {
  return error instanceof ApiError && error.code === ABORTED;
}

/** The text to show for any thrown value. */
export function errorText(error: unknown): string {
  if (error instanceof ApiError) return error.msg;
  if (error instanceof Error && error.message) return error.message;
  return codeText(0);
}

/** Reads `fields` of the envelope: a map, or a list of {location|name|field, message}. */
export function readFields(raw: unknown): Record<string, string> | undefined {
  if (!raw || typeof raw !== "object") return undefined;
  const fields: Record<string, string> = {};
  if (Array.isArray(raw)) {
    for (const item of raw as Record<string, unknown>[]) {
      const name = item.location ?? item.name ?? item.field;
      if (typeof name === "string") fields[fieldName(name)] = String(item.message ?? item.msg ?? "");
    }
  } else {
    for (const [name, message] of Object.entries(raw)) fields[fieldName(name)] = String(message);
  }
  return Object.keys(fields).length > 0 ? fields : undefined;
}

function fieldName(location: string): string {
  return location.replace(/^(body|query|path|header)\./, "");
}
