import { drawnId } from "../fidelity/ids";
import type { Modeler } from "./modeler";

/** How far the drawing can be made smaller and larger, and by how much at a time. */
export const ZOOM = { min: 0.2, max: 4, step: 0.1 };

/** Where each drawing was put when it was last shown whole. */
const whole = new WeakMap<Modeler, string>();

const placeOf = (modeler: Modeler) => {
  const { x, y, scale } = modeler.get("canvas").viewbox();
  return [x, y, scale].map((value) => value.toFixed(3)).join(" ");
};

/** Follows the room the canvas has; a drawing nobody moved since is shown whole again. */
export function fitRoom(modeler: Modeler): void {
  const untouched = whole.get(modeler) === placeOf(modeler);
  modeler.get("canvas").resized();
  if (untouched) showAll(modeler);
}

/** Shows the whole drawing in the middle, small ones in their own size. */
export function showAll(modeler: Modeler): void {
  const canvas = modeler.get("canvas");
  canvas.resized();
  const { inner, outer } = canvas.viewbox();
  if (outer.width === 0 || outer.height === 0) return;
  const margin = 40;
  // The palette stands on the left of the canvas, in one column or two.
  const tools = canvas.getContainer().querySelector<HTMLElement>(".djs-palette");
  const palette = tools ? tools.offsetWidth + 24 : 0;
  const fitting = Math.min(
    1,
    (outer.width - palette) / (inner.width + 2 * margin),
    outer.height / (inner.height + 2 * margin),
  );
  const scale = Math.max(ZOOM.min, fitting);
  const [width, height] = [outer.width / scale, outer.height / scale];
  const x = inner.x + (inner.width - width - palette / scale) / 2;
  const y = inner.y + (inner.height - height) / 2;
  canvas.viewbox({ x, y, width, height });
  whole.set(modeler, placeOf(modeler));
}

/** The scale of the drawing in whole tenths, which computers can count exactly. */
export const tenths = (scale: number) => Math.round(scale * 10);

/** Makes the drawing smaller or larger by one step; beyond the limits it says so. */
export function zoomBy(modeler: Modeler, steps: 1 | -1): boolean {
  const canvas = modeler.get("canvas");
  const next = tenths(canvas.zoom()) + steps;
  if (next < tenths(ZOOM.min) || next > tenths(ZOOM.max)) return false;
  canvas.zoom(next / 10, "auto");
  return true;
}

/** Selects the element and brings it into view. */
export function jumpTo(modeler: Modeler, id: string): boolean {
  const element = modeler.get("elementRegistry").get(drawnId(id));
  if (!element) return false;
  const canvas = modeler.get("canvas");
  const root = canvas.findRoot(element);
  if (root && root !== canvas.getRootElement()) canvas.setRootElement(root);
  if (element !== root) {
    canvas.scrollToElement(element, 120);
    modeler.get("selection").select(element);
  } else {
    modeler.get("selection").select(null);
  }
  canvas.focus();
  return true;
}
