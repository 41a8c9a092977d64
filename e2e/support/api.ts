import { password, university } from "./people";

export interface Pair {
  userId: number;
  accessToken: string;
  refreshToken: string;
}

interface Call {
  token?: string;
  tenant?: number;
  body?: unknown;
  base?: string;
}

/** Calls the server the way a client does; a refusal is an error with the server's words. */
export async function call<T>(method: string, path: string, given: Call = {}): Promise<T> {
  const { token, tenant = university.id, body, base = serverAddress() } = given;
  const response = await fetch(`${base}/admin-api${path}`, {
    method,
    headers: {
      "tenant-id": String(tenant),
      "Content-Type": "application/json",
      ...(token ? { Authorization: `Bearer ${token}` } : {}),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const answer = (await response.json()) as { code: number; msg: string; data: T };
  if (answer.code !== 0) throw new Error(`${method} ${path}: ${answer.code} ${answer.msg}`);
  return answer.data;
}

/** Where the server without the sign-in puzzle listens. */
export function serverAddress(): string {
  const address = process.env.VIVA_URL;
  if (!address) throw new Error("VIVA_URL is not set: the global setup starts the servers");
  return address;
}

export function signInByCall(
  username: string,
  secret: string = password,
  tenant: number = university.id,
): Promise<Pair> {
  const body = { username, password: secret, captchaVerification: "" };
  return call<Pair>("POST", "/system/auth/login", { tenant, body });
}

interface Menu {
  name: string;
  path: string;
  component: string | null;
  children: Menu[] | null;
}

/** The addresses of all menu pages a user has. */
export async function menuAddresses(token: string): Promise<string[]> {
  const info = await call<{ menus: Menu[] }>("GET", "/system/auth/get-permission-info", { token });
  const walk = (menus: Menu[], above: string): string[] =>
    menus.flatMap((menu) => {
      const path = menu.path.startsWith("/") ? menu.path : `${above}/${menu.path}`;
      return menu.children?.length ? walk(menu.children, path) : [path];
    });
  return walk(info.menus, "");
}

/** The pages every user has besides the menu. */
export const commonAddresses = [
  "/index",
  "/user/profile",
  "/user/notify-message",
  "/user/system-notice",
] as const;

/** The pages of the student menu. */
export const studentAddresses = [
  "/study/myCourse",
  "/study/myScore",
  "/studentEnd/myMentor",
  "/myThesis/students-subject",
  "/myThesis/students-open-subject",
  "/myThesis/pre-defense-application",
  "/myThesis/blindReviewStudent",
  "/myThesis/defense-application",
  "/myThesis/archivingStudent",
  "/myThesis/achievementsStudent",
  "/student/certificate",
  "/withdrawal/student/withdrawal",
  "/feedback/feedback/list",
] as const;

/** Every page of a role. */
export async function addressesOf(username: string, token: string): Promise<string[]> {
  const own = username.startsWith("student") ? [...studentAddresses] : await menuAddresses(token);
  const more = username === "admin" ? ["/dict/type/data/1"] : [];
  return [...commonAddresses, ...own, ...more];
}
