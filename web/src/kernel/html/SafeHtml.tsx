import DOMPurify from "dompurify";
import { useMemo } from "react";

interface Props {
  html: string | null | undefined;
  className?: string;
}

const purifier = DOMPurify();

purifier.addHook("afterSanitizeAttributes", (node) => {
  if (node.tagName === "A" && node.hasAttribute("href")) {
    node.setAttribute("target", "_blank");
    node.setAttribute("rel", "noopener noreferrer");
  }
});

/** Where the purifier cannot work it hands its input back; then only the words are shown. */
function plain(html: string): string {
  return html.replace(/<[^>]*>/g, "").replace(/[<>&]/g, (c) => `&#${c.charCodeAt(0)};`);
}

/** Stored HTML without anything that runs, posts or reaches out. */
export function sanitize(html: string): string {
  if (!purifier.isSupported) return plain(html);
  return purifier.sanitize(html, {
    USE_PROFILES: { html: true },
    FORBID_TAGS: ["style", "form", "input", "button", "textarea", "select", "iframe", "object", "embed"],
    FORBID_ATTR: ["srcset", "ping"],
  });
}

/** The only place that puts stored HTML into the page. */
export function SafeHtml({ html, className }: Props) {
  const clean = useMemo(() => ({ __html: sanitize(html ?? "") }), [html]);
  const name = `viva-html ${className ?? ""}`.trim();
  // biome-ignore lint/security/noDangerouslySetInnerHtml: sanitised above; all stored HTML comes through here
  return <div className={name} dangerouslySetInnerHTML={clean} />;
}
