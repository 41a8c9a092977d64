import { type RefObject, useCallback, useEffect, useRef, useState } from "react";
import { stepIdOf, type Viewer } from "./canvas";
import type { Hovered } from "./HoverCard";
import type { Step } from "./steps";

/** Time to reach the card with the pointer. */
const GRACE_MS = 200;

/** The step under the pointer, and presses on steps. */
export function useHover(
  viewer: Viewer | null,
  steps: readonly Step[],
  frame: RefObject<HTMLElement | null>,
  onPress: (step: Step) => void,
) {
  const [hovered, setHovered] = useState<Hovered | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const press = useRef(onPress);
  press.current = onPress;

  const keep = useCallback(() => clearTimeout(timer.current), []);
  const leave = useCallback(() => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setHovered(null), GRACE_MS);
  }, []);

  useEffect(() => {
    if (!viewer) return;
    const bus = viewer.get("eventBus");
    const find = (id: string) => steps.find((step) => step.id === id);
    bus.on("element.hover", ({ element }) => {
      const step = find(stepIdOf(element));
      const place = step ? placeOf(viewer, step, frame.current) : null;
      if (!step || !place) return leave();
      keep();
      setHovered({ step, ...place });
    });
    bus.on("element.out", leave);
    bus.on("canvas.viewbox.changing", () => setHovered(null));
    bus.on("element.click", ({ element }) => {
      const step = find(stepIdOf(element));
      if (step) press.current(step);
    });
    return () => setHovered(null);
  }, [viewer, steps, frame, keep, leave]);

  useEffect(() => {
    const dismiss = (event: KeyboardEvent) => {
      if (event.key === "Escape") setHovered(null);
    };
    document.addEventListener("keydown", dismiss);
    return () => {
      document.removeEventListener("keydown", dismiss);
      clearTimeout(timer.current);
    };
  }, []);
  return { hovered, keep, leave };
}

/** Room the card may take. */
const CARD = { width: 320, height: 260 };

function placeOf(viewer: Viewer, step: Step, frame: HTMLElement | null) {
  const shape = viewer.get("elementRegistry").getGraphics(step.id)?.getBoundingClientRect();
  const box = frame?.getBoundingClientRect();
  if (!shape || !box) return null;
  const above = window.innerHeight - shape.bottom < CARD.height && shape.top > CARD.height;
  return {
    left: Math.max(8, Math.min(shape.left - box.left, box.width - CARD.width)),
    top: above ? shape.top - box.top - 4 : shape.bottom - box.top + 4,
    above,
  };
}
