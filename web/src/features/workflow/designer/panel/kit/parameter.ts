import { type Change, makeVendor } from "./change";
import { differing, type Row } from "./rows";
import { child, children, type Scope, text } from "./scope";
import type { ModdleElement } from "./wire";

export type ParameterKind = "text" | "script" | "list" | "map";

interface ItemRow extends Row {
  key?: string;
  value?: string;
}

/** The values of the form of a parameter. */
export interface ParameterValues {
  name: string;
  kind: ParameterKind;
  value?: string;
  scriptFormat?: string;
  items?: ItemRow[];
}

export function parameterKind(parameter: ModdleElement): ParameterKind {
  const type = child(parameter, "definition")?.$type ?? "";
  if (type.endsWith(":Script")) return "script";
  if (type.endsWith(":List")) return "list";
  return type.endsWith(":Map") ? "map" : "text";
}

/** The value in one line. */
export function parameterText(parameter: ModdleElement): string {
  const definition = child(parameter, "definition");
  const items = children(definition, "items").map((one) => text(one, "value"));
  const entries = children(definition, "entries").map((one) => `${text(one, "key")}: ${text(one, "value")}`);
  return text(parameter, "value").trim() || text(definition, "value") || [...items, ...entries].join(", ");
}

/** Reads a parameter into its form. */
export function parameterValues(parameter: ModdleElement): ParameterValues {
  const kind = parameterKind(parameter);
  const definition = child(parameter, "definition");
  const list = kind === "map" ? children(definition, "entries") : children(definition, "items");
  return {
    name: text(parameter, "name"),
    kind,
    value: kind === "script" ? text(definition, "value") : text(parameter, "value"),
    scriptFormat: text(definition, "scriptFormat"),
    items: list.map((one, at) => ({ at, key: text(one, "key"), value: text(one, "value") })),
  };
}

/** A parameter with these values: the given one with what has to change, or a new one. */
export function writeParameter(
  scope: Scope,
  type: "InputParameter" | "OutputParameter",
  values: ParameterValues,
  present?: ModdleElement,
): { parameter: ModdleElement; changes: Change[] } {
  const parameter = present ?? makeVendor(scope, type, {});
  const { definition, changes } = writeDefinition(scope, parameter, values);
  const props = {
    name: values.name,
    value: values.kind === "text" ? values.value || undefined : undefined,
    definition,
  };
  const own = differing(parameter, props);
  if (present) return { parameter, changes: [...own, ...changes] };
  for (const { props: given } of own)
    for (const [name, value] of Object.entries(given)) parameter.set(name, value);
  return { parameter, changes: [] };
}

/** The element that holds a script, list or map: the present one when it is of the kind. */
function writeDefinition(
  scope: Scope,
  parameter: ModdleElement,
  { kind, value, scriptFormat, items = [] }: ParameterValues,
): { definition: ModdleElement | undefined; changes: Change[] } {
  const present = parameterKind(parameter) === kind ? child(parameter, "definition") : undefined;
  if (kind === "text") return { definition: undefined, changes: [] };
  if (kind === "script") {
    const props = { scriptFormat, value };
    if (present) return { definition: present, changes: differing(present, props) };
    return { definition: makeVendor(scope, "Script", props, parameter), changes: [] };
  }
  const member = kind === "map" ? "entries" : "items";
  const before = children(present, member);
  const changes: Change[] = [];
  const list = items.map((row) => {
    const props = kind === "map" ? { key: row.key, value: row.value } : { value: row.value };
    const old = row.at === undefined ? undefined : before[row.at];
    if (!old) return makeVendor(scope, kind === "map" ? "Entry" : "Value", props);
    // An item that holds a script or another list has no text of its own here.
    if ((row.value ?? "") !== text(old, "value") || (row.key ?? "") !== text(old, "key"))
      changes.push({ target: old, props });
    return old;
  });
  if (!present) {
    const definition = makeVendor(scope, kind === "map" ? "Map" : "List", { [member]: list }, parameter);
    return { definition, changes: [] };
  }
  if (list.length !== before.length || list.some((one, at) => one !== before[at]))
    changes.push({ target: present, props: { [member]: list } });
  return { definition: present, changes };
}
