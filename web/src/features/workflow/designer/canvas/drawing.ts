import type { ModdleElement } from "bpmn-moddle";
import type { Dialect } from "../dialect";
import { drawnId } from "../fidelity/ids";
import { type Opened, open } from "../fidelity/open";
import { type Repairs, repairsOf, type Saved, save } from "../fidelity/save";
import { type Modeler, newModeler } from "./modeler";

/** A file on the canvas. */
export interface Drawing {
  modeler: Modeler;
  opened: Opened;
  repairs: Repairs;
  /** What could not be drawn, and references that lead nowhere. */
  warnings: string[];
  /** Elements by the ids they had in the file. */
  elements: Record<string, ModdleElement>;
}

/** The file holds a process, and nothing of how it is drawn. */
export class NoDrawingError extends Error {}

/**
 * Draws a file in a box of its own inside the container, so that an earlier drawing stays as it is
 * when this one fails.
 */
export async function draw(container: HTMLElement, text: string, standard: Dialect): Promise<Drawing> {
  return drawOpened(container, open(text, standard));
}

/** Draws a file that has no drawing by placing the elements itself. */
export async function drawLaidOut(container: HTMLElement, text: string, standard: Dialect): Promise<Drawing> {
  const opened = open(text, standard);
  const { layoutProcess } = await import("bpmn-auto-layout");
  const drawn = await drawOpened(container, { ...opened, xml: await layoutProcess(opened.xml) });
  // Compared with the file as it came: what laying out drops is put back as well.
  const { xml = "" } = await drawn.modeler.saveXML({ format: true });
  return { ...drawn, opened, repairs: { ...repairsOf(opened, xml), first: "" } };
}

async function drawOpened(container: HTMLElement, opened: Opened): Promise<Drawing> {
  const box = document.createElement("div");
  box.className = "designer-sheet";
  container.append(box);
  const modeler = newModeler(box, opened.dialect);
  let elements: Record<string, ModdleElement> = {};
  modeler.get("eventBus").on("import.parse.complete", ({ elementsById }) => {
    elements = { ...elementsById };
  });
  try {
    const { warnings } = await modeler.importXML(opened.xml);
    const { xml = "" } = await modeler.saveXML({ format: true });
    const repairs = repairsOf(opened, xml);
    return { modeler, opened, repairs, elements, warnings: [...new Set(warnings.map(messageOf))] };
  } catch (cause) {
    erase(modeler, box);
    const message = messageOf(cause);
    throw /no diagram to display/.test(message) ? new NoDrawingError(message) : cause;
  }
}

function messageOf(cause: unknown): string {
  const message = (cause as { message?: unknown } | null)?.message;
  return typeof message === "string" ? message : String(cause);
}

function erase(modeler: Modeler, box: Element | null): void {
  modeler.destroy();
  box?.remove();
}

/** Takes the drawing away with all it holds. */
export function dispose({ modeler }: Drawing): void {
  erase(modeler, modeler.get("canvas").getContainer().closest(".designer-sheet"));
}

/** The file as it would be written now. */
export async function write({ modeler, repairs, elements }: Drawing): Promise<Saved> {
  const { xml = "" } = await modeler.saveXML({ format: true });
  return save(xml, repairs, (id) => {
    const now = elements[drawnId(id)]?.id;
    return typeof now === "string" && now !== drawnId(id) ? now : id;
  });
}

/** Name of the process, or of the diagram, for files and titles. */
export function nameOf({ modeler }: Drawing): string {
  const root = modeler.get("canvas").getRootElement().businessObject;
  const process = (root.get("participants") as ModdleElement[] | undefined)?.[0] ?? root;
  return String(process.get("name") || process.id || "diagram");
}
