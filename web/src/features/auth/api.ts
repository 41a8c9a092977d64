import { get, post } from "@/kernel/api/client";
import type { TokenPair } from "@/kernel/session";

/** Calls before sign-in: no token, and every failure is shown by the page itself. */
const open = { anonymous: true, silent: true } as const;

export interface Tenant {
  id: number;
  name: string;
}

/** The tenant whose address this page was opened under; null when the address says nothing. */
export function tenantOfWebsite(host: string): Promise<Tenant | null> {
  return get<Tenant | null>("/system/tenant/get-by-website", { website: host }, open);
}

/** The tenants one can sign in to, the installation's own first. */
export function tenantNames(): Promise<Tenant[] | null> {
  return get<Tenant[] | null>("/system/tenant/simple-list", undefined, open);
}

export function tenantIdOf(name: string): Promise<number | null> {
  return get<number | null>("/system/tenant/get-id-by-name", { name }, open);
}

export interface LoginBody {
  username: string;
  password: string;
  captchaVerification: string;
}

export interface LoginReply extends TokenPair {
  userId: number;
  expiresTime: number;
}

export function login(body: LoginBody): Promise<LoginReply> {
  return post<LoginReply>("/system/auth/login", body, open);
}

export interface SetupBody {
  token: string;
  username: string;
  nickname: string;
  password: string;
}

/** Makes the first administrator with the one-time link of the first start. */
export function setUp(body: SetupBody): Promise<unknown> {
  return post<unknown>("/system/auth/setup", body, open);
}

/** Captcha answers carry no envelope. */
export interface CaptchaReply<Data> {
  repCode: string;
  repMsg: string | null;
  repData: Data | null;
}

export interface Puzzle {
  originalImageBase64: string;
  jigsawImageBase64: string;
  token: string;
  secretKey: string | null;
}

export interface Question {
  question: string;
  token: string;
  secretKey: string | null;
}

/** Whether sign-in asks for a captcha; when the server does not say, it does. */
export async function captchaEnabled(): Promise<boolean> {
  try {
    const config = await get<{ enabled?: boolean } | null>("/system/captcha/config", undefined, open);
    return config?.enabled !== false;
  } catch {
    return true;
  }
}

export function getPuzzle(): Promise<CaptchaReply<Puzzle>> {
  return post<CaptchaReply<Puzzle>>("/system/captcha/get", { captchaType: "blockPuzzle" }, open);
}

export function getQuestion(): Promise<CaptchaReply<Question>> {
  return post<CaptchaReply<Question>>("/system/captcha/get", { captchaType: "arithmetic" }, open);
}

export interface CaptchaCheck {
  captchaType: "blockPuzzle" | "arithmetic";
  pointJson: string;
  token: string;
}

export function checkCaptcha(body: CaptchaCheck): Promise<CaptchaReply<unknown>> {
  return post<CaptchaReply<unknown>>("/system/captcha/check", body, open);
}
