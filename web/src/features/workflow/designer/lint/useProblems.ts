import { useEffect, useState } from "react";
import type { Sheet } from "../useDrawing";
import { type Problem, problemsOf } from "./rules";

const PAUSE = 400;

/** What there is to ask about the drawing, read again shortly after each change. */
export function useProblems(sheet: Sheet | null, changes: number): Problem[] {
  const [problems, setProblems] = useState<Problem[]>([]);
  // biome-ignore lint/correctness/useExhaustiveDependencies(changes): it says when to look again
  useEffect(() => {
    if (!sheet) return;
    const timer = setTimeout(() => setProblems(problemsOf(sheet.modeler.getDefinitions())), PAUSE);
    return () => clearTimeout(timer);
  }, [sheet, changes]);
  return problems;
}
