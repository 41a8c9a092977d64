import { call, signInByCall } from "./api";

export interface Account {
  id: number;
  username: string;
  nickname: string;
  password: string;
}

let made = 0;

/** Creates an account nobody else uses, as the administrator does. */
export async function throwAway(nickname: string): Promise<Account> {
  const { accessToken: token } = await signInByCall("admin");
  made += 1;
  const username = `guest${Date.now().toString(36)}${made}`.slice(0, 20);
  const secret = "Bamboo-River-88";
  const body = { username, nickname, password: secret, type: 2, sex: 0, status: 0 };
  const id = await call<number>("POST", "/system/user/create", { token, body });
  return { id, username, nickname, password: secret };
}

/** Disables or enables an account. */
export async function setStatus(account: Account, status: 0 | 1): Promise<void> {
  const { accessToken: token } = await signInByCall("admin");
  await call("PUT", "/system/user/update-status", { token, body: { id: account.id, status } });
}
