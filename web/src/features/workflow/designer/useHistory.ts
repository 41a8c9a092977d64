import { useCallback, useEffect, useRef, useState } from "react";
import type { Sheet } from "./useDrawing";

interface History {
  canUndo: boolean;
  canRedo: boolean;
  /** Whether the drawing differs from what is stored. */
  dirty: boolean;
  /** Counts every change, undone ones too. */
  changes: number;
  /** Takes the drawing as it is now for stored. */
  markStored: () => void;
}

/** Nothing on the way back or forth is what is stored. */
const NOWHERE = -2;

/** Follows the changes of a drawing: what can be undone, and whether anything is unsaved. */
export function useHistory(sheet: Sheet | null): History {
  const [state, setState] = useState({ canUndo: false, canRedo: false, dirty: false, changes: 0 });
  const stored = useRef(NOWHERE);
  const before = useRef(NOWHERE);

  const read = useCallback((of: Sheet, changed: number) => {
    const stack = of.modeler.get("commandStack");
    const at = stack._stackIdx;
    setState((last) => ({
      canUndo: stack.canUndo(),
      canRedo: stack.canRedo(),
      dirty: at !== stored.current,
      changes: last.changes + changed,
    }));
  }, []);

  useEffect(() => {
    if (!sheet) return;
    const bus = sheet.modeler.get("eventBus");
    stored.current = sheet.origin === "elsewhere" ? NOWHERE : -1;
    before.current = -1;
    const follow = () => {
      const stack = sheet.modeler.get("commandStack");
      // Whoever goes back behind what is stored and on from there does not get to it again.
      const branched = before.current < stored.current && !stack.canRedo();
      if (branched && stack._stackIdx > before.current) stored.current = NOWHERE;
      before.current = stack._stackIdx;
      read(sheet, 1);
    };
    bus.on("commandStack.changed", follow);
    read(sheet, 1);
    return () => bus.off("commandStack.changed", follow);
  }, [sheet, read]);

  const markStored = useCallback(() => {
    if (!sheet) return;
    stored.current = sheet.modeler.get("commandStack")._stackIdx;
    before.current = stored.current;
    sheet.origin = "stored";
    read(sheet, 0);
  }, [sheet, read]);
  return { ...state, markStored };
}
