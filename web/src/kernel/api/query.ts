/**
 * Serialises a query: nested objects as key[sub]=value, arrays as repeated keys,
 * null and undefined dropped. Keys are written as given, so `createTime[0]` works too.
 */
export function serializeQuery(query: object | null | undefined): string {
  const parts: string[] = [];
  for (const [key, value] of Object.entries(query ?? {})) append(parts, key, value);
  return parts.join("&");
}

function append(parts: string[], key: string, value: unknown): void {
  if (value === null || value === undefined) return;
  if (Array.isArray(value)) {
    for (const item of value) append(parts, key, item);
  } else if (value instanceof Date) {
    append(parts, key, value.getTime());
  } else if (typeof value === "object") {
    for (const [sub, item] of Object.entries(value)) append(parts, `${key}[${sub}]`, item);
  } else {
    parts.push(`${encodeURIComponent(key)}=${encodeURIComponent(String(value))}`);
  }
}

export function withQuery(path: string, query: object | null | undefined): string {
  const text = serializeQuery(query);
  if (!text) return path;
  return path + (path.includes("?") ? "&" : "?") + text;
}
