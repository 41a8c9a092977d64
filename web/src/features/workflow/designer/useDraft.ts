import { useCallback, useEffect, useRef, useState } from "react";
import { type Draft, dropDraft, readDraft, useDraftOnSessionLost, writeDraft } from "@/kernel/crud/useDraft";
import { write } from "./canvas/drawing";
import type { Sheet } from "./useDrawing";

const PAUSE = 1000;

interface Text {
  text: string;
}

interface Drafts {
  /** What was left behind unsaved; null when there is none or it was answered. */
  found: Draft<Text> | null;
  answer: () => void;
  drop: () => void;
  /** When the draft was last written; 0 before. */
  at: number;
}

/** Keeps an unsaved drawing in this browser tab, shortly after each change and when the session ends. */
export function useDrawingDraft(
  name: string,
  stored: string,
  sheet: Sheet | null,
  changes: number | null,
): Drafts {
  const [found, setFound] = useState(() => {
    const draft = readDraft<Text>(name);
    return draft && draft.values.text !== stored ? draft : null;
  });
  const [at, setAt] = useState(0);
  const latest = useRef<Text | null>(null);

  useEffect(() => {
    if (!sheet || changes === null) {
      latest.current = null;
      return;
    }
    let gone = false;
    const timer = setTimeout(async () => {
      const { text } = await write(sheet).catch(() => ({ text: "" }));
      if (gone || !text) return;
      latest.current = { text };
      if (keep(name, text)) setAt(Date.now());
    }, PAUSE);
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [name, sheet, changes]);
  useDraftOnSessionLost(name, () => latest.current);

  const drop = useCallback(() => {
    latest.current = null;
    setAt(0);
    dropDraft(name);
  }, [name]);
  const answer = useCallback(() => {
    setFound(null);
    dropDraft(name);
  }, [name]);
  return { found, answer, drop, at };
}

/** A browser without room keeps no draft; drawing goes on. */
function keep(name: string, text: string): boolean {
  try {
    writeDraft<Text>(name, { text });
    return true;
  } catch {
    return false;
  }
}
