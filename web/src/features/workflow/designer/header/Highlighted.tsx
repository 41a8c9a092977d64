import { memo, type ReactNode } from "react";

const xml =
  /(?<comment><!--[\s\S]*?-->|<\?[\s\S]*?\?>)|(?<tag><\/?[^\s/>]+|\/?>)|(?<name>[^\s=<>"']+)(?==["'])|(?<text>"[^"]*"|'[^']*')/g;
const json =
  /(?<name>"(?:[^"\\]|\\.)*")(?=\s*:)|(?<text>"(?:[^"\\]|\\.)*")|(?<tag>\b(?:true|false|null)\b|-?\d+(?:\.\d+)?)/g;

/** Longer texts are shown plainly: every coloured word is an element of the page. */
const MOST = 150_000;

/** Colours the words of a file by what they are. */
export const Highlighted = memo(function Highlighted({ text, kind }: { text: string; kind: "xml" | "json" }) {
  if (text.length > MOST) return text;
  const parts: ReactNode[] = [];
  let at = 0;
  for (const match of text.matchAll(kind === "xml" ? xml : json)) {
    if (match.index > at) parts.push(text.slice(at, match.index));
    const what = Object.entries(match.groups ?? {}).find(([, value]) => value !== undefined)?.[0];
    parts.push(
      <span key={match.index} className={`code-${what}`}>
        {match[0]}
      </span>,
    );
    at = match.index + match[0].length;
  }
  parts.push(text.slice(at));
  return parts;
});
