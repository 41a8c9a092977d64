import { type Change, makeExpression } from "./change";
import { child, type Scope, text } from "./scope";
import type { ModdleElement } from "./wire";

/** When a timer fires: at a moment, after a while, or again and again. */
export type TimerKind = "date" | "duration" | "cycle";

export const timerKinds: readonly TimerKind[] = ["date", "duration", "cycle"];

const members: Record<TimerKind, string> = {
  date: "timeDate",
  duration: "timeDuration",
  cycle: "timeCycle",
};

/** The kind of a timer, undefined when it says none. */
export function timerKind(timer: ModdleElement | undefined): TimerKind | undefined {
  return timerKinds.find((kind) => child(timer, members[kind]));
}

export function timerValue(timer: ModdleElement | undefined): string {
  const kind = timerKind(timer);
  return kind ? text(child(timer, members[kind]), "body") : "";
}

/** The expression that holds the value. */
export function timerExpression(timer: ModdleElement): ModdleElement | undefined {
  const kind = timerKind(timer);
  return kind && child(timer, members[kind]);
}

/** The change that sets kind and value; the expressions of the other kinds go. */
export function timerChange(
  scope: Scope,
  timer: ModdleElement,
  kind: TimerKind | undefined,
  value: string,
): Change[] {
  const present = kind ? child(timer, members[kind]) : undefined;
  if (kind && present && timerKind(timer) === kind)
    return text(present, "body") === value ? [] : [{ target: present, props: { body: value } }];
  const props: Record<string, unknown> = {};
  for (const other of timerKinds) {
    if (other === kind) {
      const made = makeExpression(scope, value || " ", timer);
      if (value === "") made?.set("body", "");
      props[members[other]] = made;
    } else if (child(timer, members[other])) props[members[other]] = undefined;
  }
  return Object.keys(props).length > 0 ? [{ target: timer, props }] : [];
}

const shapes: Record<TimerKind, RegExp> = {
  date: /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?$/,
  duration: /^P(?=.)(\d+Y)?(\d+M)?(\d+W)?(\d+D)?(T(?=\d)(\d+H)?(\d+M)?(\d+(\.\d+)?S)?)?$/,
  cycle: /^(R\d*\/.+|(\S+\s+){4,6}\S+)$/,
};

/** Whether a literal text has the shape of its kind; expressions are judged elsewhere. */
export function looksRight(kind: TimerKind, value: string): boolean {
  return value.trim() === "" || /[$#]\{/.test(value) || shapes[kind].test(value.trim());
}
