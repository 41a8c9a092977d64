import { saveBlob } from "@/kernel/api/client";
import type { Viewer } from "./canvas";
import { type StepState, stepStates } from "./marks";

interface Colors {
  line: string;
  fill: string;
}

/** The colours of the light theme (viewer.css), for files and paper, which know no variables. */
const paper: Record<StepState, Colors> = {
  running: { line: "#1890ff", fill: "#d1e9ff" },
  approved: { line: "#389e0d", fill: "#d7ecce" },
  rejected: { line: "#d9363e", fill: "#f7d7d8" },
  returned: { line: "#b27d00", fill: "#fff1cc" },
  cancelled: { line: "#8c8c8c", fill: "#e8e8e8" },
};
const plain: Colors = { line: "#24292f", fill: "#ffffff" };

/** What can be drawn onto paper: the reading and the designing canvas alike. */
type Drawn = Pick<Viewer, "saveSVG">;

/** The drawing as a document of its own, in the colours of paper. */
export async function pictureOf(viewer: Drawn): Promise<SVGSVGElement> {
  const { svg } = await viewer.saveSVG();
  const parsed = new DOMParser().parseFromString(svg, "image/svg+xml");
  const root = parsed.documentElement as unknown as SVGSVGElement;
  for (const part of root.querySelectorAll<SVGElement>("[style*='var(--diagram']")) paint(part);
  for (const extra of root.querySelectorAll(".djs-hit, .djs-outline, .djs-selection-outline")) extra.remove();
  return root;
}

function stateAt(part: Element): StepState | undefined {
  const element = part.closest(".djs-element");
  return stepStates.find((state) => element?.classList.contains(`step-${state}`));
}

function paint(part: SVGElement): void {
  const state = stateAt(part);
  const colors = state ? paper[state] : plain;
  if (state && part.style.markerEnd) part.style.markerEnd = ownArrow(part, state, colors);
  const style = part.getAttribute("style") ?? "";
  part.setAttribute(
    "style",
    style
      .replaceAll("var(--diagram-line)", colors.line)
      .replaceAll("var(--diagram-fill)", colors.fill)
      .replaceAll("var(--diagram-text)", plain.line),
  );
}

/** Arrow heads are shared by all flows of the drawing; a coloured flow needs one of its own. */
function ownArrow(part: SVGElement, state: StepState, colors: Colors): string {
  const root = part.ownerDocument.documentElement;
  const id = /#([^"')]+)/.exec(part.style.markerEnd)?.[1] ?? "";
  const marker = root.querySelector(`marker[id="${CSS.escape(id)}"]`);
  if (!marker) return part.style.markerEnd;
  const own = `${id}-${state}`;
  if (!root.querySelector(`marker[id="${CSS.escape(own)}"]`)) {
    const copy = marker.cloneNode(true) as Element;
    copy.id = own;
    for (const head of copy.querySelectorAll<SVGElement>("*")) {
      head.style.stroke = colors.line;
      head.style.fill = colors.line;
    }
    marker.after(copy);
  }
  return `url("#${own}")`;
}

/** The drawing as text, with the note of the drawing kit that its licence asks for. */
export async function pictureText(viewer: Drawn): Promise<string> {
  return new XMLSerializer().serializeToString((await pictureOf(viewer)).ownerDocument);
}

/** Hands the drawing to the browser as a file. */
export async function savePicture(viewer: Drawn, name: string): Promise<void> {
  saveBlob(
    new Blob([await pictureText(viewer)], { type: "image/svg+xml" }),
    `${name.replace(/[\\/:*?"<>|]/g, "_")}.svg`,
  );
}

/** Prints the drawing alone, across one page, with the mark of its maker as its licence asks. */
export async function printPicture(viewer: Viewer, name: string, mark: Element | null): Promise<void> {
  const drawing = await pictureOf(viewer);
  const frame = document.createElement("iframe");
  frame.setAttribute("aria-hidden", "true");
  frame.style.cssText = "position:fixed;width:0;height:0;border:0";
  document.body.append(frame);
  const page = frame.contentDocument;
  const view = frame.contentWindow;
  if (!page || !view) return;
  const style = page.createElement("style");
  style.textContent =
    "@page{size:A4 landscape;margin:12mm}body{margin:0;font-family:system-ui,sans-serif}h1{font-size:16px}" +
    "svg{max-width:100%;height:auto;max-height:80vh}.bjs-powered-by svg{width:53px;color:#404040}";
  page.head.append(style);
  page.title = name;
  const title = page.createElement("h1");
  title.textContent = name;
  page.body.append(title, page.importNode(drawing, true));
  if (mark) page.body.append(page.importNode(mark, true));
  view.addEventListener("afterprint", () => frame.remove());
  view.print();
}
