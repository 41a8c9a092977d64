import NavigatedViewer from "bpmn-js/lib/NavigatedViewer";
import "bpmn-js/dist/assets/diagram-js.css";
import "bpmn-js/dist/assets/bpmn-js.css";

/** An element as the canvas knows it. */
export interface Shape {
  id: string;
}

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

interface Canvas {
  /** What is seen, all there is (inner), and the room on the page (outer). */
  viewbox: (shown?: Box) => Box & { inner: Box; outer: Box };
  resized: () => void;
  scroll: (by: { dx: number; dy: number }) => void;
  addMarker: (id: string, marker: string) => void;
  removeMarker: (id: string, marker: string) => void;
}

interface EventBus {
  on: (
    event: string | string[],
    listener: (event: { element: Shape; focused: boolean; definitions: unknown }) => void,
  ) => void;
}

interface Registry {
  get: (id: string) => Shape | undefined;
  getGraphics: (id: string) => SVGElement | undefined;
}

interface Overlays {
  add: (id: string, type: string, overlay: { position: object; html: HTMLElement; show?: object }) => string;
  remove: (filter: { type: string }) => void;
}

interface Services {
  canvas: Canvas;
  eventBus: EventBus;
  elementRegistry: Registry;
  overlays: Overlays;
  keyboard: { addListener: (listener: (event: { keyEvent: KeyboardEvent }) => boolean) => void };
  keyboardMove: { moveCanvas: (by: { speed: number; direction: string }) => void };
  zoomScroll: { stepZoom: (delta: number) => void; toggle: (enabled: boolean) => void };
}

/** The read-only canvas of a diagram with the parts of it that are used here. */
export type Viewer = NavigatedViewer<Services>;

/** Draws with the colours of the page: they are variables, resolved by the style sheet. */
export function newViewer(container: HTMLElement): Viewer {
  const viewer: Viewer = new NavigatedViewer<Services>({
    container,
    bpmnRenderer: {
      defaultFillColor: "var(--diagram-fill)",
      defaultStrokeColor: "var(--diagram-line)",
      defaultLabelColor: "var(--diagram-text)",
    },
    keyboard: { bind: true },
    // The wheel belongs to the page until the reader has stepped into the diagram.
    zoomScroll: { enabled: false },
  });
  const zoomScroll = viewer.get("zoomScroll");
  viewer.get("eventBus").on("canvas.focus.changed", ({ focused }) => zoomScroll.toggle(focused));
  moveByFinger(viewer, container);
  viewer.get("keyboard").addListener(({ keyEvent }) => onKey(viewer, keyEvent));
  return viewer;
}

/** One finger moves the drawing; which directions are left to the page is said by the style sheet. */
function moveByFinger(viewer: Viewer, container: HTMLElement): void {
  let last: { x: number; y: number } | null = null;
  container.addEventListener("pointerdown", ({ pointerType, isPrimary, clientX, clientY }) => {
    last = pointerType === "touch" && isPrimary ? { x: clientX, y: clientY } : null;
  });
  container.addEventListener("pointermove", ({ isPrimary, clientX, clientY }) => {
    if (!last || !isPrimary) return;
    viewer.get("canvas").scroll({ dx: clientX - last.x, dy: clientY - last.y });
    last = { x: clientX, y: clientY };
  });
  const end = () => {
    last = null;
  };
  container.addEventListener("pointerup", end);
  container.addEventListener("pointercancel", end);
}

/** Keys without a modifier; with Ctrl the arrows are the drawing kit's own. */
function onKey(viewer: Viewer, event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  const direction = /^Arrow(Left|Right|Up|Down)$/.exec(event.key)?.[1]?.toLowerCase();
  if (direction) viewer.get("keyboardMove").moveCanvas({ speed: 50, direction });
  else if (event.key === "+" || event.key === "=") viewer.get("zoomScroll").stepZoom(1);
  else if (event.key === "-") viewer.get("zoomScroll").stepZoom(-1);
  else if (event.key === "0") showAll(viewer);
  else return false;
  return true;
}

/** Free room around a diagram that is shown whole. */
const MARGIN = 20;

/** Shows the whole diagram in the middle, small ones in their own size. */
export function showAll(viewer: Viewer): void {
  const canvas = viewer.get("canvas");
  canvas.resized();
  const { inner, outer } = canvas.viewbox();
  if (outer.width === 0 || outer.height === 0) return;
  const scale = Math.min(
    1,
    outer.width / (inner.width + 2 * MARGIN),
    outer.height / (inner.height + 2 * MARGIN),
  );
  const [width, height] = [outer.width / scale, outer.height / scale];
  const x = inner.x + (inner.width - width) / 2;
  const y = inner.y + (inner.height - height) / 2;
  canvas.viewbox({ x, y, width, height });
}

/** The step an element of the canvas stands for: the text beside an event is the event's. */
export function stepIdOf(element: Shape): string {
  return element.id.replace(/_label$/, "");
}

interface Colored {
  planeElement?: Colored[];
  plane?: Colored;
  diagrams?: Colored[];
  get: (name: string) => unknown;
  set: (name: string, value: undefined) => void;
}

const ownColors = ["color:background-color", "color:border-color", "bioc:fill", "bioc:stroke"];

/** Colours of the diagram itself give way to those that say what happened. */
export function dropOwnColors(viewer: Viewer): void {
  viewer.get("eventBus").on("import.render.start", ({ definitions }) => {
    for (const { plane } of (definitions as unknown as Colored).diagrams ?? []) {
      for (const di of plane?.planeElement ?? []) {
        for (const name of ownColors) if (di.get(name)) di.set(name, undefined);
      }
    }
  });
}
