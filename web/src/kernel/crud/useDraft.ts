import { useEffect, useRef } from "react";
import { SESSION_LOST } from "@/kernel/api/relogin";
import { getTenantId } from "@/kernel/session/storage";
import { useSession } from "@/kernel/session/store";

export interface Draft<T> {
  at: number;
  values: T;
}

/** Drafts belong to one person: whoever signs in next in the same tab must not be offered them. */
function keyOf(name: string): string {
  return `viva-draft:${getTenantId()}:${useSession.getState().user?.id ?? 0}:${name}`;
}

export function readDraft<T>(name: string): Draft<T> | null {
  try {
    const draft = JSON.parse(sessionStorage.getItem(keyOf(name)) ?? "null") as Draft<T> | null;
    return draft && typeof draft.at === "number" ? draft : null;
  } catch {
    return null;
  }
}

export function writeDraft<T>(name: string, values: T): void {
  sessionStorage.setItem(keyOf(name), JSON.stringify({ at: Date.now(), values }));
}

export function dropDraft(name: string): void {
  sessionStorage.removeItem(keyOf(name));
}

/** Keeps what was typed when the session ends, so that the form can offer it again after sign-in. */
export function useDraftOnSessionLost<T>(name: string, read: () => T | null): void {
  const latest = useRef(read);
  useEffect(() => {
    latest.current = read;
  });
  useEffect(() => {
    const keep = () => {
      const values = latest.current();
      if (values) writeDraft(name, values);
    };
    window.addEventListener(SESSION_LOST, keep);
    return () => window.removeEventListener(SESSION_LOST, keep);
  }, [name]);
}
