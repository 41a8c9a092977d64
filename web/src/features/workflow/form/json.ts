export type JsonObject = Record<string, unknown>;

/** Members from the outside inwards. */
export type Path = readonly string[];

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What stands at the end of a path; undefined where the path breaks off. */
export function at(value: unknown, path: Path): unknown {
  let present = value;
  for (const member of path) {
    if (!isObject(present)) return undefined;
    present = present[member];
  }
  return present;
}

/** A copy with another value at the end of the path; undefined takes the member away. */
export function withAt(object: JsonObject, path: Path, value: unknown): JsonObject {
  const [member, ...rest] = path;
  if (member === undefined) return object;
  const copy = { ...object };
  if (rest.length > 0) {
    const inner = isObject(copy[member]) ? copy[member] : {};
    if (value === undefined && !isObject(copy[member])) return copy;
    copy[member] = withAt(inner, rest, value);
  } else if (value === undefined) delete copy[member];
  else copy[member] = value;
  return copy;
}

export function textOf(value: unknown): string {
  return typeof value === "string" ? value : typeof value === "number" ? String(value) : "";
}

/** A number, also when it is written as text; undefined when it is none. */
export function numberOf(value: unknown): number | undefined {
  if (typeof value === "number") return Number.isFinite(value) ? value : undefined;
  if (typeof value !== "string" || value.trim() === "") return undefined;
  const read = Number(value);
  return Number.isFinite(read) ? read : undefined;
}
