import { get } from "@/kernel/api/client";
import { SESSION_LOST } from "@/kernel/api/relogin";
import { getAccessToken, type SessionKey } from "./storage";
import { useSession } from "./store";
import type { PermissionInfo } from "./types";

const watched: readonly SessionKey[] = ["ACCESS_TOKEN", "TENANT_ID"];

/** Tokens are written one after the other: one look at the session is enough for all of them. */
const settleMs = 50;

/**
 * Tabs share the stored token. When another tab signs in as somebody else or signs out, this one
 * would show the one person while acting as the other: it is loaded anew, after forms kept what was
 * typed. A token renewed for the same person changes nothing. Returns how to stop watching.
 */
export function watchOtherTabs(reload: () => void = () => window.location.reload()): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let round = 0;
  const check = async () => {
    const shown = useSession.getState().user?.id;
    if (shown === undefined) return;
    round += 1;
    const mine = round;
    const present = await userOfToken();
    if (mine !== round || present === "unknown" || present === shown) return;
    window.dispatchEvent(new Event(SESSION_LOST));
    reload();
  };
  const onStorage = ({ key, storageArea }: StorageEvent) => {
    if (storageArea !== localStorage) return;
    // Without a key everything was cleared.
    if (key !== null && !watched.some((name) => name === key)) return;
    clearTimeout(timer);
    timer = setTimeout(() => void check(), settleMs);
  };
  window.addEventListener("storage", onStorage);
  return () => {
    round += 1;
    clearTimeout(timer);
    window.removeEventListener("storage", onStorage);
  };
}

/** Whose token is stored now; null when there is none. Without an answer nothing is known. */
async function userOfToken(): Promise<number | null | "unknown"> {
  if (!getAccessToken()) return null;
  try {
    const info = await get<PermissionInfo>("/system/auth/get-permission-info", undefined, {
      silent: true,
      relogin: false,
    });
    return info.user.id;
  } catch {
    return "unknown";
  }
}
