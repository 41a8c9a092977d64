import type { ModdleElement } from "bpmn-moddle";

export type { ModdleElement } from "bpmn-moddle";

/** An element on the canvas. */
export interface Shape {
  id: string;
  type: string;
  businessObject: ModdleElement;
  di?: ModdleElement;
  /** What a text beside an element belongs to. */
  labelTarget?: Shape;
}

interface CommandStack {
  execute: (command: string, context: unknown) => void;
  registerHandler: (command: string, handler: unknown) => void;
}

interface Modeling {
  updateProperties: (element: Shape, properties: Record<string, unknown>) => void;
  updateModdleProperties: (
    element: Shape,
    target: ModdleElement,
    properties: Record<string, unknown>,
  ) => void;
  claimId: (id: string, owner: ModdleElement) => void;
  unclaimId: (id: string, owner: ModdleElement) => void;
}

/** What the bus of the drawing kit says of an event. */
export interface BusEvent {
  element?: Shape;
  elements?: Shape[];
  newSelection?: Shape[];
}

interface EventBus {
  on: (event: string | string[], listener: (event: BusEvent) => void) => void;
  off: (event: string | string[], listener: (event: BusEvent) => void) => void;
}

interface Services {
  commandStack: CommandStack;
  modeling: Modeling;
  eventBus: EventBus;
  selection: { get: () => Shape[]; select: (element: Shape) => void };
  canvas: { getRootElement: () => Shape };
  elementRegistry: { get: (id: string) => Shape | undefined; getAll: () => Shape[] };
  moddle: {
    create: (type: string, properties?: Record<string, unknown>) => ModdleElement;
    ids: { assigned: (id: string) => ModdleElement | false; nextPrefixed: (prefix: string) => string };
  };
}

/** The parts of the drawing kit that the panel needs. */
export interface Modeler {
  get<Name extends keyof Services>(name: Name): Services[Name];
  getDefinitions(): ModdleElement;
}

/** The stored model whose diagram is drawn. */
export interface PanelModel {
  id: string;
  key: string;
  name: string;
}
