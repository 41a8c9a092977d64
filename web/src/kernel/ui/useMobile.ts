import { useSyncExternalStore } from "react";

export const MOBILE_BREAKPOINT = 992;

const query = `(max-width: ${MOBILE_BREAKPOINT - 0.02}px)`;

function watch(changed: () => void): () => void {
  const media = window.matchMedia(query);
  media.addEventListener("change", changed);
  return () => media.removeEventListener("change", changed);
}

/** Whether the screen is narrower than 992 px. */
export function useMobile(): boolean {
  return useSyncExternalStore(watch, () => window.matchMedia(query).matches);
}
