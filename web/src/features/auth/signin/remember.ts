import { forgetPassword, readItem, recallPassword, rememberPassword, writeItem } from "@/kernel/session";

export interface Remembered {
  rememberMe: boolean;
  username: string;
  password: string;
}

/** What the last sign-in in this browser asked to keep. */
export async function recall(): Promise<Remembered> {
  if (readItem("REMEMBER_ME") !== "true") return { rememberMe: false, username: "", password: "" };
  return { rememberMe: true, username: readItem("USERNAME"), password: await recallPassword() };
}

/** Keeps user name and password, or forgets both. */
export async function keep({ rememberMe, username, password }: Remembered): Promise<void> {
  if (!rememberMe) {
    writeItem("REMEMBER_ME", "");
    writeItem("USERNAME", "");
    forgetPassword();
    return;
  }
  writeItem("REMEMBER_ME", "true");
  writeItem("USERNAME", username);
  // A full disk or a private window must not stop the sign-in.
  await rememberPassword(password).catch(() => forgetPassword());
}
