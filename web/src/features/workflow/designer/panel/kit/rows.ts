import { type Change, make } from "./change";
import type { Scope } from "./scope";
import type { ModdleElement } from "./wire";

/** A row of a form; `at` says which of the present elements it shows. */
export interface Row {
  at?: number;
}

/** How rows of a form become elements. */
interface Plan<R extends Row> {
  scope: Scope;
  type: string;
  present: readonly ModdleElement[];
  rows: readonly R[];
  props: (row: R) => Record<string, unknown>;
}

/**
 * Elements for the rows of a form: those that were there stay the same objects, with whatever else
 * they say, and are changed only where they differ.
 */
export function elementsOf<R extends Row>({ scope, type, present, rows, props }: Plan<R>) {
  const changes: Change[] = [];
  const list = rows.map((row) => {
    const before = row.at === undefined ? undefined : present[row.at];
    const wanted = props(row);
    if (!before) return make(scope, type, wanted);
    changes.push(...differing(before, wanted));
    return before;
  });
  return { list, changes };
}

/** The change that gives an element these members, none when it has them. */
export function differing(target: ModdleElement, wanted: Record<string, unknown>): Change[] {
  const props = Object.fromEntries(
    Object.entries(wanted).filter(([name, value]) => (target.get(name) ?? undefined) !== value),
  );
  return Object.keys(props).length > 0 ? [{ target, props }] : [];
}

/** Whether the list holds other elements than before. */
export function isOther(list: readonly ModdleElement[], present: readonly ModdleElement[]): boolean {
  return list.length !== present.length || list.some((item, at) => item !== present[at]);
}
