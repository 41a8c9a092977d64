import { get, post } from "@/kernel/api/client";
import { routeAddress } from "@/kernel/base";
import { clearDicts, loadDicts } from "@/kernel/dict/store";
import { clearTokens, saveTokens, type TokenPair } from "./storage";
import { useSession } from "./store";
import type { PermissionInfo, UserType } from "./types";

/** Fetches who is signed in and the dictionaries; a failure rejects without showing anything. */
export async function loadSession(): Promise<void> {
  const info = await get<PermissionInfo>("/system/auth/get-permission-info", undefined, {
    silent: true,
    relogin: false,
  });
  await loadDicts();
  useSession.getState().apply(info);
}

/** Keeps a new token pair; the guard of the next route loads the rest. */
export function startSession(pair: TokenPair): void {
  saveTokens(pair);
  useSession.getState().clear();
}

/** Ends the session here and on the server; a server that cannot be reached does not hold the user. */
export async function endSession(): Promise<void> {
  try {
    await post("/system/auth/logout", undefined, { silent: true, relogin: false });
  } catch {
    // The token is dropped below in any case.
  }
  clearTokens();
  useSession.getState().clear();
  clearDicts();
}

export function signInRoute(type: UserType | undefined): "/studentLogin" | "/login" {
  return type === 1 ? "/studentLogin" : "/login";
}

/** Logs out and leaves for the sign-in page of the user's type, with a full load that forgets all state. */
export async function logout(): Promise<void> {
  const type = useSession.getState().user?.type;
  await endSession();
  window.location.assign(routeAddress(signInRoute(type)));
}
