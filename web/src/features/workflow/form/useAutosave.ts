import { useEffect, useRef, useState } from "react";
import { type Draft, dropDraft, readDraft, useDraftOnSessionLost, writeDraft } from "@/kernel/crud/useDraft";
import type { Design } from "./history";
import { isSame, type StoredDesign, storedOf } from "./useFormRecord";

const PAUSE = 800;

interface Autosave {
  /** What was left behind unsaved, when it differs from what is stored; null when it was answered. */
  found: Draft<StoredDesign> | null;
  answer: () => void;
  /** When the draft was last written; 0 before. */
  at: number;
  drop: () => void;
}

/** Keeps what is unsaved in this browser tab: after a pause, when the page goes, when the session ends. */
export function useAutosave(id: number, stored: StoredDesign, design: Design, dirty: boolean): Autosave {
  const name = `bpm/form/design:${id}`;
  const [found, setFound] = useState(() => {
    const draft = readDraft<StoredDesign>(name);
    return draft && !isSame(draft.values, stored) ? draft : null;
  });
  const [at, setAt] = useState(0);
  const unsaved = useRef<Design | null>(null);
  unsaved.current = dirty ? design : null;

  useEffect(() => {
    if (!dirty) return;
    const timer = setTimeout(() => {
      if (keep(name, design)) setAt(Date.now());
    }, PAUSE);
    return () => clearTimeout(timer);
  }, [name, design, dirty]);
  useEffect(
    () => () => {
      if (unsaved.current) keep(name, unsaved.current);
    },
    [name],
  );
  useDraftOnSessionLost(name, () => (unsaved.current ? storedOf(unsaved.current) : null));

  return {
    found,
    at,
    answer: () => {
      setFound(null);
      dropDraft(name);
    },
    drop: () => {
      setAt(0);
      dropDraft(name);
    },
  };
}

/** A browser without room keeps no draft; the design itself goes on. */
function keep(name: string, design: Design): boolean {
  try {
    writeDraft(name, storedOf(design));
    return true;
  } catch {
    return false;
  }
}
