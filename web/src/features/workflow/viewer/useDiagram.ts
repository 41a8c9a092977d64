import { type RefObject, useEffect, useState } from "react";
import { dropOwnColors, newViewer, showAll, type Viewer } from "./canvas";
import { type Step, stepsOf } from "./steps";

/** A diagram as far as it could be read. */
export interface Diagram {
  status: "loading" | "ready" | "empty" | "failed";
  viewer: Viewer | null;
  steps: Step[];
  /** What the parser says, when the whole could not be read. */
  problem: string;
  /** Elements that could not be drawn, and references that lead nowhere. */
  warnings: string[];
}

const loading: Diagram = { status: "loading", viewer: null, steps: [], problem: "", warnings: [] };

/** Draws the diagram into the container and keeps the drawing fitting while it was not moved. */
export function useDiagram(
  container: RefObject<HTMLElement | null>,
  xml: string,
  plainColors: boolean,
): Diagram {
  const [diagram, setDiagram] = useState(loading);
  useEffect(() => {
    const place = container.current;
    if (!place) return;
    setDiagram(loading);
    const viewer = newViewer(place);
    if (plainColors) dropOwnColors(viewer);
    let gone = false;
    void draw(viewer, xml).then((drawn) => {
      if (!gone) setDiagram(drawn);
    });
    const stop = refitOnResize(place, viewer);
    return () => {
      gone = true;
      stop();
      viewer.destroy();
    };
  }, [container, xml, plainColors]);
  return diagram;
}

async function draw(viewer: Viewer, xml: string): Promise<Diagram> {
  if (xml.trim() === "") return { ...loading, status: "empty" };
  try {
    const { warnings } = await viewer.importXML(xml);
    showAll(viewer);
    return {
      status: "ready",
      viewer,
      steps: stepsOf(viewer.getDefinitions()),
      problem: "",
      warnings: warnings.map(textOf),
    };
  } catch (cause) {
    const problem = textOf(cause);
    const empty = /no diagram to display|no process or collaboration/.test(problem);
    const steps = empty ? stepsOf(viewer.getDefinitions()) : [];
    return { ...loading, status: empty ? "empty" : "failed", steps, problem };
  }
}

function textOf(cause: unknown): string {
  const message = (cause as { message?: unknown } | null)?.message;
  return typeof message === "string" ? message : String(cause);
}

/** A tab that was hidden, a phone that was turned: the space changed, not the reader's view of it. */
function refitOnResize(place: HTMLElement, viewer: Viewer): () => void {
  let width = place.clientWidth;
  const observer = new ResizeObserver(() => {
    if (place.clientWidth === width || place.clientWidth === 0) return;
    width = place.clientWidth;
    if (viewer.getDefinitions()) showAll(viewer);
  });
  observer.observe(place);
  return () => observer.disconnect();
}
