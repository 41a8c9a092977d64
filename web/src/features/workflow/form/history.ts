import type { Item } from "./model";

/** What is undone and redone: the whole design. */
export interface Design {
  conf: string;
  items: Item[];
}

export interface History {
  past: Design[];
  present: Design;
  future: Design[];
  /** What the last edit was about; another one about the same joins it into one step. */
  about: string;
}

const DEPTH = 100;

export function begin(present: Design): History {
  return { past: [], present, future: [], about: "" };
}

/** Takes an edit; typing into one property (same `about`) stays one step. */
export function edit(history: History, next: Design, about = ""): History {
  if (next === history.present) return history;
  const joins = about !== "" && about === history.about && history.past.length > 0;
  const past = joins ? history.past : [...history.past, history.present].slice(-DEPTH);
  return { past, present: next, future: [], about };
}

export function undo(history: History): History {
  const before = history.past.at(-1);
  if (!before) return history;
  return {
    past: history.past.slice(0, -1),
    present: before,
    future: [history.present, ...history.future],
    about: "",
  };
}

export function redo(history: History): History {
  const [after, ...rest] = history.future;
  if (!after) return history;
  return { past: [...history.past, history.present], present: after, future: rest, about: "" };
}
