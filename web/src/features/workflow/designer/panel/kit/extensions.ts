import { type Change, make, makeVendor } from "./change";
import { type Scope, text, vendor } from "./scope";
import type { ModdleElement } from "./wire";

/** What stands in the extension elements of an element, of one type of the vendor or all of it. */
export function extensions(scope: Scope, owner: ModdleElement, type?: string): ModdleElement[] {
  const holder = owner.get("extensionElements") as ModdleElement | undefined;
  const values = (holder?.get("values") as ModdleElement[] | undefined) ?? [];
  return type === undefined ? values : values.filter((value) => value.$type === vendor(scope, type));
}

/**
 * Replaces the extension elements by what `next` makes of those that stand there now. Elements that
 * `next` does not know have to be handed on; an empty holder is taken away.
 */
export function extensionChange(
  scope: Scope,
  owner: ModdleElement,
  next: (present: ModdleElement[]) => ModdleElement[],
): Change[] {
  const holder = owner.get("extensionElements") as ModdleElement | undefined;
  const present = holder ? [...((holder.get("values") as ModdleElement[] | undefined) ?? [])] : [];
  const values = next(present);
  if (values.length === present.length && values.every((value, at) => value === present[at])) return [];
  if (values.length === 0) return [{ target: owner, props: { extensionElements: undefined } }];
  if (!holder) {
    const made = make(scope, "bpmn:ExtensionElements", { values }, owner);
    return [{ target: owner, props: { extensionElements: made } }];
  }
  return [{ target: holder, props: { values } }];
}

/** Adds elements at the end. */
export function addExtension(scope: Scope, owner: ModdleElement, ...made: ModdleElement[]): Change[] {
  return extensionChange(scope, owner, (present) => [...present, ...made]);
}

/** Takes elements out. */
export function removeExtension(scope: Scope, owner: ModdleElement, ...gone: ModdleElement[]): Change[] {
  return extensionChange(scope, owner, (present) => present.filter((value) => !gone.includes(value)));
}

/** The member that holds the text of a text element: the vendors' descriptions differ. */
const bodyName = (element: ModdleElement) =>
  element.$type.endsWith(":FailedJobRetryTimeCycle") ? "body" : "value";

/** The text of an extension element such as reasonRequire, "" without it. */
export function extensionText(scope: Scope, owner: ModdleElement, type: string): string {
  const found = extensions(scope, owner, type)[0];
  return found ? text(found, bodyName(found)).trim() : "";
}

/** Sets the texts of several extension elements at once; an empty text takes the element away. */
export function extensionTexts(scope: Scope, owner: ModdleElement, texts: Record<string, string>): Change[] {
  const changes: Change[] = [];
  const structural = extensionChange(scope, owner, (present) => {
    let values = present;
    for (const [type, wanted] of Object.entries(texts)) {
      const same = values.filter((value) => value.$type === vendor(scope, type));
      const [first] = same;
      if (wanted === "") values = values.filter((value) => !same.includes(value));
      else if (!first) {
        const made = makeVendor(scope, type, {});
        made.set(bodyName(made), wanted);
        values = [...values, made];
      } else if (text(first, bodyName(first)) !== wanted) {
        changes.push({ target: first, props: { [bodyName(first)]: wanted } });
      }
    }
    return values;
  });
  return [...structural, ...changes];
}
