import { useEffect, useRef } from "react";
import { useTabActive } from "@/layout";

export interface DecisionKeys {
  next: () => void;
  previous: () => void;
  approve: () => void;
  giveBack: () => void;
}

/** Whether a key belongs to something else: a field that is typed in, a dialog, a shortcut of the browser. */
function isTaken(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return true;
  const target = event.target as HTMLElement | null;
  return !!target?.closest?.("input, textarea, select, [contenteditable=true], [role=dialog], [role=menu]");
}

/** J and K walk through the queue, A approves, R returns; each act is still confirmed. */
export function useDecisionKeys(keys: DecisionKeys): void {
  const active = useTabActive();
  const latest = useRef(keys);
  useEffect(() => {
    latest.current = keys;
  });
  useEffect(() => {
    if (!active) return;
    const press = (event: KeyboardEvent) => {
      if (isTaken(event)) return;
      const act = { j: "next", k: "previous", a: "approve", r: "giveBack" }[event.key.toLowerCase()];
      if (!act) return;
      event.preventDefault();
      latest.current[act as keyof DecisionKeys]();
    };
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, [active]);
}
