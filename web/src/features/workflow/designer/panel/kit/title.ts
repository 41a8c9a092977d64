import { i18n } from "@/kernel/i18n";
import { type Scope, text } from "./scope";

/** What the element is and what it is called. */
export function titleOf({ bo }: Scope): { name: string; type: string } {
  const local = bo.$type.replace(/^bpmn:/, "");
  const type = i18n.t(`panel:type.${local}`, { defaultValue: local });
  return { name: text(bo, "name") || text(bo, "text") || text(bo, "id"), type };
}
