/** Characters as people and the server count them: one for each code point. */
export function lengthOf(text: unknown): number {
  return [...String(text ?? "").trim()].length;
}
