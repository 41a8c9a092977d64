import type { ModdleElement } from "bpmn-moddle";

/** An element on the canvas. */
export interface Shape {
  id: string;
  type: string;
  businessObject: ModdleElement;
  x: number;
  y: number;
  width: number;
  height: number;
  parent?: Shape;
  labelTarget?: Shape;
  waypoints?: unknown[];
}

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

interface Canvas {
  zoom: (to?: number | "fit-viewport", center?: "auto" | { x: number; y: number }) => number;
  viewbox: (shown?: Box) => Box & { inner: Box; outer: Box; scale: number };
  resized: () => void;
  scroll: (by: { dx: number; dy: number }) => void;
  scrollToElement: (element: Shape, padding?: number) => void;
  focus: () => void;
  getContainer: () => HTMLElement;
  getRootElement: () => Shape;
  setRootElement: (root: Shape) => void;
  findRoot: (element: Shape) => Shape;
  addMarker: (element: Shape | string, marker: string) => void;
  removeMarker: (element: Shape | string, marker: string) => void;
}

/** What the bus of the drawing kit says of an event; each event fills its part. */
export interface BusEvent {
  element?: Shape;
  newSelection?: Shape[];
  active?: boolean;
  viewbox?: { scale: number };
  propertyNames?: string[];
  property?: unknown;
  propertyName?: string;
  sourceElement?: ModdleElement;
  targetElement?: ModdleElement;
  elementsById?: Record<string, ModdleElement>;
}

interface EventBus {
  on: (
    event: string | string[],
    priorityOrListener: number | ((event: BusEvent) => unknown),
    listener?: (event: BusEvent) => unknown,
  ) => void;
  off: (event: string | string[], listener: (event: BusEvent) => unknown) => void;
  fire: (event: string, context?: unknown) => unknown;
}

/** One entry of a palette, a pad or a menu. */
export interface Entry {
  group?: string;
  className?: string;
  title?: string;
  action?: Record<string, (event: Event, element?: Shape) => void>;
}

export type Entries = Record<string, Entry>;

/** The parts of the drawing kit that the designer uses. */
export interface Services {
  canvas: Canvas;
  eventBus: EventBus;
  commandStack: {
    canUndo: () => boolean;
    canRedo: () => boolean;
    undo: () => void;
    redo: () => void;
    clear: () => void;
    _stackIdx: number;
  };
  elementRegistry: {
    get: (id: string) => Shape | undefined;
    getAll: () => Shape[];
    filter: (keep: (element: Shape) => boolean) => Shape[];
    getGraphics: (id: string) => SVGElement | undefined;
  };
  selection: { get: () => Shape[]; select: (element: Shape | Shape[] | null) => void };
  alignElements: { trigger: (elements: Shape[], kind: string) => void };
  distributeElements: { trigger: (elements: Shape[], axis: string) => void };
  modeling: {
    updateProperties: (element: Shape, properties: Record<string, unknown>) => void;
    moveElements: (elements: Shape[], by: { x: number; y: number }) => void;
    removeElements: (elements: Shape[]) => void;
  };
  keyboard: { bind: () => void; unbind: () => void };
  zoomScroll: { toggle: (enabled: boolean) => void };
  searchPad: { toggle: () => void };
  minimap: { toggle: (open?: boolean) => void; isOpen: () => boolean };
  grid: { toggle: (visible?: boolean) => void; isVisible: () => boolean };
  gridSnapping: { toggle: (active?: boolean) => void };
  editorActions: { trigger: (action: string, options?: unknown) => void };
  palette: { registerProvider: (priority: number, provider: unknown) => void };
  contextPad: { registerProvider: (priority: number, provider: unknown) => void };
  popupMenu: { open: (element: unknown, id: string, position: unknown, options?: unknown) => void };
  elementFactory: { createShape: (attributes: Record<string, unknown>) => Shape };
  create: { start: (event: Event, shape: Shape, context?: unknown) => void };
  autoPlace: { append: (source: Shape, shape: Shape) => Shape };
  copyPaste: { copy: (elements: Shape[]) => unknown; paste: (context?: unknown) => Shape[] | undefined };
  bpmnReplace: { replaceElement: (element: Shape, target: { type: string }) => Shape };
  moddle: {
    create: (type: string, properties?: Record<string, unknown>) => ModdleElement;
    createAny: (name: string, uri: string, properties?: Record<string, unknown>) => ModdleElement;
    getElementDescriptor: (element: ModdleElement) => { isGeneric?: boolean; ns: { uri: string } };
    getTypeDescriptor: (type: string) => unknown;
    ids: { assigned: (id: string) => ModdleElement | false; nextPrefixed: (prefix: string) => string };
  };
}
