import { saveBlob } from "@/kernel/api/client";
import { t } from "@/kernel/i18n";
import { pictureText } from "../../viewer/picture";
import { nameOf, write } from "../canvas/drawing";
import type { Sheet } from "../useDrawing";
import { confirmLoss } from "./loss";

/** Kinds of files a drawing can be taken along as. */
export type FileKind = "xml" | "bpmn" | "svg" | "png";
export const fileKinds: readonly FileKind[] = ["xml", "svg", "bpmn", "png"];

/** A name that every file system takes. */
export function fileName(name: string, kind: FileKind): string {
  return `${name.replace(/[\\/:*?"<>|]/g, "_").slice(0, 120)}.${kind}`;
}

/** Hands the drawing to the browser as a file; what a process file would lose is asked about first. */
export async function download(sheet: Sheet, kind: FileKind): Promise<void> {
  const name = fileName(nameOf(sheet), kind);
  if (kind === "svg" || kind === "png") {
    const text = await pictureText(sheet.modeler);
    const svg = new Blob([text], { type: "image/svg+xml" });
    return saveBlob(kind === "svg" ? svg : await rasterOf(svg), name);
  }
  const { text, lost } = await write(sheet);
  if (lost.length > 0 && !(await confirmLoss(lost))) return;
  saveBlob(new Blob([text], { type: "application/xml" }), name);
}

/** Pictures on screens of high resolution are drawn twice as large; beyond this browsers give up. */
const LARGEST = 8000;

/** The drawing as a picture of points, on white. */
async function rasterOf(svg: Blob): Promise<Blob> {
  const url = URL.createObjectURL(svg);
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const scale = Math.min(2, LARGEST / Math.max(image.width, image.height, 1));
    const canvas = document.createElement("canvas");
    canvas.width = Math.max(1, Math.round(image.width * scale));
    canvas.height = Math.max(1, Math.round(image.height * scale));
    const pen = canvas.getContext("2d");
    if (!pen) throw new Error(t("designer:file.noPicture"));
    pen.fillStyle = "#fff";
    pen.fillRect(0, 0, canvas.width, canvas.height);
    pen.drawImage(image, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, "image/png"));
    if (!blob) throw new Error(t("designer:file.noPicture"));
    return blob;
  } finally {
    URL.revokeObjectURL(url);
  }
}
