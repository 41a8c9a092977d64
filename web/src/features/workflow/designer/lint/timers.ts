import type { ModdleElement } from "bpmn-moddle";

const expression = /[$#]\{/;
const duration = /^P(?!$)(\d+Y)?(\d+M)?(\d+W)?(\d+D)?(T(?=\d)(\d+H)?(\d+M)?(\d+(\.\d+)?S)?)?$/;
const instant = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/;
const cron = /^(\S+\s+){4,6}\S+$/;

const isInstant = (text: string) => instant.test(text) && !Number.isNaN(Date.parse(text));
const isDuration = (text: string) => duration.test(text);

function isCycle(text: string): boolean {
  if (!/^R\d*\//.test(text)) return cron.test(text);
  return text
    .split("/")
    .slice(1)
    .every((part) => isDuration(part) || isInstant(part));
}

const kinds: [string, (text: string) => boolean][] = [
  ["timeDate", isInstant],
  ["timeDuration", isDuration],
  ["timeCycle", isCycle],
];

/** Says whether a timer says nothing, or nothing that can be read as a time. */
export function timerProblem(definition: ModdleElement): "timerMissing" | "timerSyntax" | undefined {
  for (const [name, valid] of kinds) {
    const value = definition.get(name) as ModdleElement | undefined;
    const text = String(value?.get("body") ?? "").trim();
    if (text) return expression.test(text) || valid(text) ? undefined : "timerSyntax";
  }
  return "timerMissing";
}
