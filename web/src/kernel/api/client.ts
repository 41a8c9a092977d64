import { apiBase } from "@/kernel/base";
import { currentLanguage, t } from "@/kernel/i18n";
import { getAccessToken, getTenantId } from "@/kernel/session/storage";
import { notifyError, toast } from "@/kernel/ui/feedback";
import {
  ABORTED,
  ApiError,
  codeText,
  NETWORK_ERROR,
  readFields,
  refreshFailures,
  TIMEOUT_ERROR,
} from "./errors";
import { withQuery } from "./query";
import { refreshSession } from "./refresh";
import { askRelogin } from "./relogin";
import type { Answered, CallOptions, DeleteOptions, Envelope, Path } from "./types";

export { ApiError } from "./errors";
export type { CallOptions, DeleteOptions, PageOf } from "./types";

const TIMEOUT = 30_000;

interface Call extends CallOptions {
  method: string;
  path: string;
  body?: BodyInit | null;
  contentType?: string;
}

// Two forms of each call: the answer type follows from the path, or is given: get<User>("...").
// The second type parameter of the first form keeps a single type argument out of it.

export function get<P extends Path, M extends "get">(
  path: P,
  query?: object,
  opts?: CallOptions,
): Promise<Answered<P, M>>;
export function get<T>(path: string, query?: object, opts?: CallOptions): Promise<T>;
export function get(path: string, query?: object, opts?: CallOptions): Promise<unknown> {
  return data({ ...opts, method: "GET", path, query });
}

export function post<P extends Path, M extends "post">(
  path: P,
  body?: unknown,
  opts?: CallOptions,
): Promise<Answered<P, M>>;
export function post<T>(path: string, body?: unknown, opts?: CallOptions): Promise<T>;
export function post(path: string, body?: unknown, opts?: CallOptions): Promise<unknown> {
  return data({ ...opts, method: "POST", path, ...encode(body) });
}

export function put<P extends Path, M extends "put">(
  path: P,
  body?: unknown,
  opts?: CallOptions,
): Promise<Answered<P, M>>;
export function put<T>(path: string, body?: unknown, opts?: CallOptions): Promise<T>;
export function put(path: string, body?: unknown, opts?: CallOptions): Promise<unknown> {
  return data({ ...opts, method: "PUT", path, ...encode(body) });
}

export function del<P extends Path, M extends "delete">(
  path: P,
  query?: object,
  opts?: DeleteOptions,
): Promise<Answered<P, M>>;
export function del<T>(path: string, query?: object, opts?: DeleteOptions): Promise<T>;
export function del(path: string, query?: object, opts?: DeleteOptions): Promise<unknown> {
  const { body, ...rest } = opts ?? {};
  return data({ ...rest, method: "DELETE", path, query, ...encode(body) });
}

/** Fetches a file with the bearer token; an envelope instead of a file is an error. */
export async function fetchBlob(path: string, query?: object, opts?: CallOptions): Promise<Blob> {
  const response = await send({ timeout: 300_000, ...opts, method: "GET", path, query });
  return response.blob();
}

/** Fetches a file and hands it to the browser under the given name, else the one the server says. */
export async function download(path: string, query?: object, filename?: string): Promise<void> {
  const response = await send({ timeout: 300_000, method: "GET", path, query });
  saveBlob(await response.blob(), filename || response.filename || "download");
}

export function saveBlob(blob: Blob, filename: string): void {
  const address = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = address;
  link.download = filename;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

function encode(body: unknown): Pick<Call, "body" | "contentType"> {
  if (body === undefined || body === null) return {};
  if (body instanceof FormData || body instanceof Blob || body instanceof URLSearchParams) {
    return body instanceof Blob ? { body, contentType: "application/octet-stream" } : { body };
  }
  return { body: JSON.stringify(body), contentType: "application/json" };
}

async function data<R>(call: Call): Promise<R> {
  const response = await send(call);
  const envelope = response.envelope ?? {};
  return envelope.data as R;
}

interface Answer {
  envelope: Envelope | null;
  blob: () => Promise<Blob>;
  filename?: string;
}

/** Sends, refreshes the session once when needed, and turns every failure into an ApiError. */
async function send(call: Call): Promise<Answer> {
  const used = call.anonymous ? "" : getAccessToken();
  let answer = await exchange(call, used);
  if (codeOf(answer) === 401 && !call.anonymous && !isRefreshFailure(answer)) {
    const token = await refreshSession(used);
    if (!token) throw sessionLost(call);
    answer = await exchange(call, token);
    if (codeOf(answer) === 401) throw sessionLost(call);
  }
  const code = codeOf(answer);
  if (code === 0 || code === 200) return answer;
  throw reject(call, answer.envelope ?? {}, code);
}

function codeOf(answer: Answer): number {
  return answer.envelope ? (answer.envelope.code ?? 200) : 200;
}

function isRefreshFailure(answer: Answer): boolean {
  return refreshFailures.includes(answer.envelope?.msg ?? "");
}

function sessionLost(call: Call): ApiError {
  if (call.relogin !== false) void askRelogin();
  return new ApiError(401, t("kernel:session.expired"));
}

function reject(call: Call, envelope: Envelope, code: number): ApiError {
  const msg = envelope.msg || codeText(code);
  const fields = readFields(envelope.fields ?? (envelope.data as { fields?: unknown } | null)?.fields);
  const error = new ApiError(code, msg, envelope.data, fields);
  if (call.silent || refreshFailures.includes(msg)) return error;
  if (code === 500) toast.error(msg);
  else if (code === 501) toast.error(msg, 0);
  else if (code === 901) toast.error(t("kernel:error.901"), 0);
  else notifyError(msg);
  return error;
}

async function exchange(call: Call, token: string): Promise<Answer> {
  const controller = new AbortController();
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    controller.abort();
  }, call.timeout ?? TIMEOUT);
  const stop = () => controller.abort();
  if (call.signal?.aborted) stop();
  call.signal?.addEventListener("abort", stop);
  try {
    const response = await fetch(apiBase + withQuery(call.path, call.query), {
      method: call.method,
      headers: headersOf(call, token),
      body: call.body ?? null,
      signal: controller.signal,
    });
    return await read(response);
  } catch (cause) {
    throw transportError(call, cause, timedOut);
  } finally {
    clearTimeout(timer);
    call.signal?.removeEventListener("abort", stop);
  }
}

function headersOf(call: Call, token: string): Record<string, string> {
  const headers: Record<string, string> = { "Accept-Language": currentLanguage() };
  if (token) headers.Authorization = `Bearer ${token}`;
  const tenant = getTenantId();
  if (tenant) headers["tenant-id"] = tenant;
  if (call.contentType) headers["Content-Type"] = call.contentType;
  if (call.idempotencyKey) headers["Idempotency-Key"] = call.idempotencyKey;
  if (call.silent) headers.customBizErrorMsg = "true";
  return headers;
}

class StatusError extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`HTTP ${status}`);
    this.status = status;
  }
}

/** Infrastructure statuses may carry the envelope; without one the status itself is the error. */
async function read(response: Response): Promise<Answer> {
  const json = (response.headers.get("Content-Type") ?? "").includes("json");
  if (!json) {
    if (!response.ok) throw new StatusError(response.status);
    const blob = await response.blob();
    const filename = filenameOf(response.headers.get("Content-Disposition") ?? "");
    return { envelope: null, blob: () => Promise.resolve(blob), filename };
  }
  const envelope = (await response.json()) as Envelope;
  const hasCode = envelope !== null && typeof envelope === "object" && "code" in envelope;
  if (!response.ok && !hasCode) throw new StatusError(response.status);
  // Captcha answers are raw (repCode, repMsg, repData): handed through as they are.
  const raw = envelope !== null && typeof envelope === "object" && "repCode" in envelope;
  return {
    envelope: raw ? { code: 0, data: envelope } : envelope,
    blob: async () => new Blob([JSON.stringify(envelope)], { type: "application/json" }),
  };
}

/** The name in a Content-Disposition header: filename*=UTF-8''…, or the plain form, percent-encoded or not. */
export function filenameOf(disposition: string): string {
  const match =
    /filename\*\s*=\s*UTF-8''([^;]+)/i.exec(disposition) ?? /filename\s*=\s*"?([^";]+)"?/i.exec(disposition);
  try {
    return decodeURIComponent(match?.[1]?.trim() ?? "");
  } catch {
    return match?.[1]?.trim() ?? "";
  }
}

function transportError(call: Call, cause: unknown, timedOut: boolean): ApiError {
  if (!timedOut && call.signal?.aborted) return new ApiError(ABORTED, t("kernel:error.aborted"));
  let error: ApiError;
  if (timedOut) error = new ApiError(TIMEOUT_ERROR, t("kernel:error.timeout"));
  else if (cause instanceof StatusError)
    error = new ApiError(cause.status, t("kernel:error.status", { status: cause.status }));
  else error = new ApiError(NETWORK_ERROR, t("kernel:error.network"));
  if (!call.silent) toast.error(error.msg, 5);
  return error;
}
