import { apiBase } from "@/kernel/base";
import {
  getAccessToken,
  getRefreshToken,
  getTenantId,
  saveTokens,
  type TokenPair,
} from "@/kernel/session/storage";
import type { Envelope } from "./types";

let running: Promise<string | null> | null = null;

/**
 * Gets a new access token after `used` was refused. Calls made meanwhile share the one attempt,
 * and of several tabs only one asks: the others find the new token in the storage.
 * Resolves to the token to retry with, or null when the session is over.
 */
export function refreshSession(used: string): Promise<string | null> {
  const present = getAccessToken();
  if (present && present !== used) return Promise.resolve(present);
  if (!running) {
    running = exclusively(() => renew(used)).finally(() => {
      running = null;
    });
  }
  return running;
}

function exclusively(work: () => Promise<string | null>): Promise<string | null> {
  const locks = typeof navigator === "undefined" ? undefined : navigator.locks;
  if (!locks?.request) return work();
  return locks.request("viva-refresh-token", work) as Promise<string | null>;
}

async function renew(used: string): Promise<string | null> {
  const present = getAccessToken();
  if (present && present !== used) return present;
  const refreshToken = getRefreshToken();
  if (!refreshToken) return null;
  const headers: Record<string, string> = { "Content-Type": "application/json" };
  const tenant = getTenantId();
  if (tenant) headers["tenant-id"] = tenant;
  try {
    const response = await fetch(`${apiBase}/system/auth/refresh-token`, {
      method: "POST",
      headers,
      body: JSON.stringify({ refreshToken }),
      signal: AbortSignal.timeout(30_000),
    });
    const body = (await response.json()) as Envelope;
    const pair = body.data as TokenPair | null | undefined;
    if ((body.code !== 0 && body.code !== 200 && body.code !== undefined) || !pair?.accessToken) return null;
    saveTokens({ accessToken: pair.accessToken, refreshToken: pair.refreshToken || refreshToken });
    return pair.accessToken;
  } catch {
    return null;
  }
}
