// The lighter DOM does not know XML prefixes.
// @vitest-environment jsdom
import { File as NodeFile } from "node:buffer";
import { expect, test } from "vitest";
import { MAX_DIAGRAM, readDiagram } from "./diagram";

/** A file that gives its bytes, which that DOM's own cannot. */
function file(parts: (string | Uint8Array)[], name = "a.bpmn"): File {
  return new NodeFile(parts, name) as unknown as File;
}

const wrap = (content: string, head = "") =>
  `${head}<bpmn:definitions xmlns:bpmn="http://www.omg.org/spec/BPMN/20100524/MODEL">${content}</bpmn:definitions>`;
const one = '<bpmn:process id="leave" name="请假"/>';

test("key and name come from the process that runs", async () => {
  const drawn = '<bpmn:process id="pool" isExecutable="false"/>';
  const read = await readDiagram(file([wrap(drawn + one)], "a.BPMN"));
  expect(read).toMatchObject({ key: "leave", name: "请假" });
});

test("a drawing without a process that runs still has its key", async () => {
  const read = await readDiagram(file([wrap('<bpmn:process id="p" isExecutable="false"/>')], "a.xml"));
  expect(read).toMatchObject({ key: "p", name: "" });
});

test("a file in GBK becomes UTF-8 with its declaration", async () => {
  const head = '<?xml version="1.0" encoding="GBK"?>';
  const [start = "", end = ""] = wrap('<bpmn:process id="p" name="#"/>', head).split("#");
  const read = await readDiagram(file([start, new Uint8Array([0xc7, 0xeb]), end]));
  expect(read.name).toBe("请");
  expect(read.xml.startsWith('<?xml version="1.0" encoding="UTF-8"?>')).toBe(true);
});

test("UTF-16 is read by its mark", async () => {
  const text = `\uFEFF${wrap(one, '<?xml version="1.0" encoding="UTF-16"?>')}`;
  const bytes = new Uint8Array(new Uint16Array([...text].map((c) => c.charCodeAt(0))).buffer);
  expect(await readDiagram(file([bytes]))).toMatchObject({ key: "leave", name: "请假" });
});

test.each([
  ["another kind of file", file([wrap(one)], "a.json"), "请选择 .bpmn 或 .xml 文件"],
  ["broken XML", file(["<definitions>"]), "不是正确的 XML"],
  ["no process", file([wrap("")]), "没有流程"],
  ["another vocabulary", file(["<definitions><process id='x'/></definitions>"]), "没有流程"],
  ["wrong bytes", file([new Uint8Array([0x3c, 0xff, 0x3e])]), "编码 utf-8 不符"],
  [
    "an unknown encoding",
    file([wrap(one, '<?xml version="1.0" encoding="EBCDIC-X"?>')]),
    "编码 EBCDIC-X 不符",
  ],
  ["too large", file([new Uint8Array(MAX_DIAGRAM + 1)]), "超过 4 MB"],
])("%s is refused", async (_, chosen, reason) => {
  await expect(readDiagram(chosen)).rejects.toThrow(reason);
});
