import { type RefObject, useCallback, useEffect, useRef, useState } from "react";
import { type Drawing, dispose, draw, drawLaidOut, NoDrawingError } from "./canvas/drawing";
import { showAll } from "./canvas/view";
import type { Dialect } from "./dialect";

/** Where the file on the canvas came from: only what is stored needs no saving. */
export type Origin = "stored" | "new" | "elsewhere";

/** What is on the canvas. */
export interface Sheet extends Drawing {
  origin: Origin;
}

/** How opening a file ended. */
export type Outcome = "drawn" | "noDrawing";

interface Drawn {
  sheet: Sheet | null;
  /** Draws a file in place of the present one, which stays when this fails. */
  show: (text: string, how: { dialect: Dialect; origin: Origin; layout?: boolean }) => Promise<Outcome>;
}

/** The canvas with one file on it at a time. */
export function useDrawing(container: RefObject<HTMLElement | null>): Drawn {
  const [sheet, setSheet] = useState<Sheet | null>(null);
  const current = useRef<Sheet | null>(null);
  const gone = useRef(false);

  useEffect(() => {
    gone.current = false;
    return () => {
      gone.current = true;
      if (current.current) dispose(current.current);
      current.current = null;
    };
  }, []);

  const show = useCallback<Drawn["show"]>(
    async (text, { dialect, origin, layout }) => {
      const place = container.current;
      if (!place) return "drawn";
      try {
        const drawing = await (layout ? drawLaidOut : draw)(place, text, dialect);
        if (gone.current) {
          dispose(drawing);
          return "drawn";
        }
        if (current.current) dispose(current.current);
        current.current = { ...drawing, origin };
        setSheet(current.current);
        showAll(drawing.modeler);
        return "drawn";
      } catch (cause) {
        if (cause instanceof NoDrawingError) return "noDrawing";
        throw cause;
      }
    },
    [container],
  );
  return { sheet, show };
}
