import type { MySubject } from "../shared/subjectWire";
import { Audit, Status } from "../shared/wire";

export type Situation =
  | "locked"
  | "early"
  | "closed"
  | "open"
  | "draft"
  | "returned"
  | "waiting"
  | "passed"
  | "changing"
  | "failed";

/** Which of the page's faces shows: the state of the step, the form and the clock in one word. */
export function situationOf(my: MySubject): Situation {
  const { step, form } = my;
  if (form?.auditState === Audit.Changing) return "changing";
  if (step.status === Status.Passed || step.status === Status.Waived) return "passed";
  if (step.status === Status.InApproval) return "waiting";
  if (step.status === Status.Failed) return "failed";
  const window = my.guards.find((guard) => guard.code === "G_WINDOW");
  if (window && !window.passed && step.openAt > my.serverTime) return "early";
  if (step.status === Status.Expired) return "closed";
  if (window && !window.passed && step.dueAt > 0 && step.dueAt < my.serverTime) return "closed";
  if (step.status === Status.Locked || !my.editable) return "locked";
  if (step.status === Status.Returned) return "returned";
  return form ? "draft" : "open";
}

export const moods: Record<Situation, "" | "is-bad" | "is-good" | "is-wait"> = {
  locked: "is-wait",
  early: "is-wait",
  closed: "is-bad",
  open: "",
  draft: "",
  returned: "is-bad",
  waiting: "is-wait",
  passed: "is-good",
  changing: "is-wait",
  failed: "is-bad",
};
