import { useEffect } from "react";
import type { Viewer } from "./canvas";
import { countOf, type Mark, type Marks, type StepState } from "./marks";

const glyphs: Record<StepState, string> = {
  running: "…",
  approved: "✓",
  rejected: "✕",
  returned: "↩",
  cancelled: "–",
};

/** Colours the steps and flows of a drawn diagram and writes signs and counts on decisions. */
export function useMarks(viewer: Viewer | null, marks: Marks | null): void {
  useEffect(() => {
    if (!viewer || !marks) return;
    const canvas = viewer.get("canvas");
    const registry = viewer.get("elementRegistry");
    const overlays = viewer.get("overlays");
    const added: [string, string][] = [];
    const add = (id: string, marker: string) => {
      if (!registry.get(id)) return;
      canvas.addMarker(id, marker);
      added.push([id, marker]);
    };
    for (const [id, mark] of marks.steps) {
      if (mark.state) add(id, `step-${mark.state}`);
      const html = registry.get(id) ? badge(mark) : null;
      if (html) overlays.add(id, "state", { position: { top: -10, right: 14 }, html });
    }
    for (const id of marks.flows) add(id, "step-approved");
    return () => {
      // The drawing may be gone by now, and its elements with it.
      for (const [id, marker] of added) if (registry.get(id)) canvas.removeMarker(id, marker);
      overlays.remove({ type: "state" });
    };
  }, [viewer, marks]);
}

/** The state again as a sign, for those who do not tell colours apart. */
function badge(mark: Mark): HTMLElement | null {
  if (!mark.state || mark.tasks.length === 0) return null;
  const count = countOf(mark);
  const html = document.createElement("div");
  html.className = `diagram-badge is-${mark.state}`;
  html.setAttribute("aria-hidden", "true");
  html.textContent = count ? `${glyphs[mark.state]} ${count.done}/${count.total}` : glyphs[mark.state];
  return html;
}
