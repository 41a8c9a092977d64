import { useCallback, useEffect, useRef, useState } from "react";
import { errorText } from "@/kernel/api/errors";
import { isConflict } from "@/kernel/crud/useSave";
import { useUnsaved } from "@/kernel/ui";
import { useTabActive } from "@/layout";

export const AUTOSAVE_MS = 15_000;

export type SaveState =
  | { kind: "idle" }
  | { kind: "saving" }
  | { kind: "saved"; at: number; auto: boolean }
  | { kind: "failed"; reason: string; stale: boolean };

interface Autosave {
  state: SaveState;
  dirty: boolean;
  /** Tell that something was typed. */
  touch: () => void;
  /** Saves now; resolves to whether everything typed is stored. */
  save: (auto?: boolean) => Promise<boolean>;
  /** Resolves when no save is under way. */
  idle: () => Promise<void>;
  /** Nothing is left to save, e.g. after a submission. */
  settle: () => void;
}

/**
 * Keeps a draft by itself every 15 seconds, when its tab is left and when the page goes away. Saves never overlap: what is
 * typed meanwhile is saved by the next one. A refused save stops the clock until something changes.
 */
export function useAutosave(write: () => Promise<void>, enabled: boolean): Autosave {
  const [state, setState] = useState<SaveState>({ kind: "idle" });
  const [dirty, setDirty] = useState(false);
  const changes = useRef(0);
  const stored = useRef(0);
  const refused = useRef(-1);
  const running = useRef<Promise<boolean> | null>(null);
  const writer = useRef(write);
  useEffect(() => {
    writer.current = write;
  });
  const active = useTabActive();
  useUnsaved(enabled && dirty);

  const save = useCallback(async (auto = false): Promise<boolean> => {
    if (running.current) await running.current;
    const saving = changes.current;
    const run = (async () => {
      setState({ kind: "saving" });
      try {
        await writer.current();
        stored.current = Math.max(stored.current, saving);
        setDirty(changes.current > stored.current);
        setState({ kind: "saved", at: Date.now(), auto });
        return true;
      } catch (error) {
        refused.current = saving;
        setState({ kind: "failed", reason: errorText(error), stale: isConflict(error) });
        return false;
      } finally {
        running.current = null;
      }
    })();
    running.current = run;
    return run;
  }, []);

  const due = useCallback(() => {
    const pending = changes.current > stored.current && changes.current > refused.current;
    if (pending && !running.current) void save(true);
  }, [save]);

  useEffect(() => {
    if (!enabled) return;
    if (!active) due();
    const timer = setInterval(due, AUTOSAVE_MS);
    return () => clearInterval(timer);
  }, [enabled, active, due]);
  useEffect(() => (enabled ? due : undefined), [enabled, due]);

  return {
    state,
    dirty,
    save,
    touch: useCallback(() => {
      changes.current += 1;
      setDirty(true);
    }, []),
    idle: useCallback(async () => {
      await running.current;
    }, []),
    settle: useCallback(() => {
      stored.current = changes.current;
      setDirty(false);
      setState({ kind: "idle" });
    }, []),
  };
}
