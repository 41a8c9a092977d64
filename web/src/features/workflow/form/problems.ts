import { t } from "@/kernel/i18n";
import { type FormField, fieldOf } from "./field";
import { hasOptions, isInput } from "./kinds";
import type { Item } from "./model";
import { isPattern } from "./validate";

/** Why a design cannot be saved yet. */
export interface Problem {
  /** Of the item to mend. */
  key: string;
  text: string;
}

/** Names the engine and the approval layer keep for themselves: forms never set them. */
const reserved =
  /^(initiator|execution|task|loopCounter|nrOf(Completed|Active)?Instances|_(FLOWABLE|ACTIVITI)_SKIP_EXPRESSION_ENABLED)$|^(PROCESS_|RETURN_FLAG_)|_assignees?$/;

const say = (key: string, values: Record<string, unknown>) => t(`workflow:builder.problem.${key}`, values);

/**
 * What has to be mended before a design is saved. Items of other designers that nobody
 * touched are not judged, but no two fields may share a name.
 */
export function problemsOf(items: readonly Item[]): Problem[] {
  return [...sameNames(items, new Map()), ...ownProblems(items)];
}

/** The columns of a table have names of their own: each row holds them. */
function sameNames(items: readonly Item[], seen: Map<string, string>): Problem[] {
  return items.flatMap((item) => {
    const { name, label, kind } = fieldOf(item);
    const inside = sameNames(item.children, kind === "table" ? new Map() : seen);
    if (!name) return inside;
    const other = seen.get(name);
    if (other === undefined) {
      seen.set(name, label || name);
      return inside;
    }
    return [{ key: item.key, text: say("duplicate", { other, label: label || name, name }) }, ...inside];
  });
}

function ownProblems(items: readonly Item[]): Problem[] {
  return items.flatMap((item) => {
    if (item.text !== undefined) return [];
    const field = fieldOf(item);
    const inside = ownProblems(item.children);
    if (!isInput(field.kind)) return inside;
    return [...judge(field, item).map((text) => ({ key: item.key, text })), ...inside];
  });
}

function judge(field: FormField, item: Item): string[] {
  const { kind, name, min, max, minLength, maxLength, pattern } = field;
  const label = field.label || name || t(`workflow:kind.${kind}`);
  const found: string[] = [];
  if (!name) found.push(say("noName", { label }));
  else if (!/^[A-Za-z_]\w*$/.test(name)) found.push(say("badName", { label }));
  else if (reserved.test(name)) found.push(say("reserved", { label, name }));
  if (!field.label.trim()) found.push(say("noLabel", { name }));
  if (greater(min, max) || greater(minLength, maxLength)) found.push(say("order", { label }));
  if (pattern && !isPattern(pattern)) found.push(say("pattern", { label }));
  if (hasOptions(kind)) found.push(...optionProblems(field, label));
  if (kind === "table" && item.children.length === 0) found.push(say("noColumns", { label }));
  return found;
}

const greater = (from?: number, to?: number) => from !== undefined && to !== undefined && from > to;

function optionProblems({ dict, options }: FormField, label: string): string[] {
  if (dict !== undefined) return [];
  if (options.length === 0) return [say("noOptions", { label })];
  const values = options.map((option) => String(option.value));
  const twice = values.find((value, index) => values.indexOf(value) !== index);
  return twice === undefined ? [] : [say("sameOptions", { label, value: twice })];
}
