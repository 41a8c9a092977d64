import { t } from "@/kernel/i18n";

/** The server takes no larger file. */
export const MAX_DIAGRAM = 4 * 1024 * 1024;

export interface Diagram {
  xml: string;
  key: string;
  name: string;
}

const MODEL = "http://www.omg.org/spec/BPMN/20100524/MODEL";
const declared = /^(\s*<\?xml[^>]{0,200}?encoding\s*=\s*["'])([\w.:-]+)(["'])/;

/** Reads the text of a process file in the encoding it declares. */
export async function readText(file: File): Promise<string> {
  if (!/\.(bpmn|xml)$/i.test(file.name)) throw new Error(t("workflow:diagram.kind"));
  if (file.size > MAX_DIAGRAM) throw new Error(t("workflow:diagram.tooLarge"));
  return decode(await file.arrayBuffer());
}

/** Reads a process file as the browser can: its text in the declared encoding, key and name. */
export async function readDiagram(file: File): Promise<Diagram> {
  const xml = await readText(file);
  const parsed = new DOMParser().parseFromString(xml, "application/xml");
  const processes = [...parsed.getElementsByTagNameNS(MODEL, "process")];
  if (parsed.querySelector("parsererror")) throw new Error(t("workflow:diagram.malformed"));
  const main = processes.find((one) => one.getAttribute("isExecutable") !== "false") ?? processes[0];
  if (!main) throw new Error(t("workflow:diagram.noProcess"));
  return { xml, key: main.getAttribute("id") ?? "", name: main.getAttribute("name") ?? "" };
}

/** The text is sent as UTF-8, so the declaration must say so. */
function decode(bytes: ArrayBuffer): string {
  const head = new TextDecoder("latin1").decode(bytes.slice(0, 512));
  const encoding = /^\xff\xfe|^<\0/.test(head) ? "utf-16le" : (declared.exec(head)?.[2] ?? "utf-8");
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes).replace(declared, "$1UTF-8$3");
  } catch {
    throw new Error(t("workflow:diagram.encoding", { encoding }));
  }
}
