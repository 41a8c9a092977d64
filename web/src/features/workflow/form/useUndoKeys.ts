import { type RefObject, useEffect, useRef } from "react";
import type { DesignActs } from "./useDesign";

const writing = "input, textarea, select, [contenteditable=true], [role=dialog]";

/** Ctrl+Z and Ctrl+Y (or Ctrl+Shift+Z) for the page, except while text is being written or the tab is hidden. */
export function useUndoKeys({ undo, redo }: DesignActs): RefObject<HTMLDivElement | null> {
  const page = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const key = event.key.toLowerCase();
      if (!(event.ctrlKey || event.metaKey) || event.altKey || (key !== "z" && key !== "y")) return;
      if (!page.current || page.current.closest("[hidden]")) return;
      if ((event.target as HTMLElement).closest?.(writing)) return;
      event.preventDefault();
      if (key === "y" || event.shiftKey) redo();
      else undo();
    };
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, [undo, redo]);
  return page;
}
