import { type Activity, flatTasks, type InstanceTask, type Person } from "../instance/wire";

/** What became of a step; steps without one were not reached. */
export type StepState = "running" | "approved" | "rejected" | "cancelled" | "returned";

export const stepStates: readonly StepState[] = ["running", "approved", "rejected", "returned", "cancelled"];

/** What happened in an instance, as the server tells it. */
export interface History {
  instance: {
    result: number;
    startUser: Person | null;
    startTime: number;
    endTime: number | null;
  };
  /** Newest first, as listed by the server. */
  tasks: readonly InstanceTask[];
  /** Visits of elements and taken flows. */
  activities: readonly Activity[];
}

/** One step of the diagram with all that happened there. */
export interface Mark {
  state: StepState | null;
  /** Decisions of the step with those of added signers, newest first. */
  tasks: InstanceTask[];
  visits: Activity[];
}

export interface Marks {
  steps: ReadonlyMap<string, Mark>;
  flows: ReadonlySet<string>;
}

const byCode: Record<number, StepState> = {
  0: "running",
  1: "running",
  2: "approved",
  3: "rejected",
  4: "cancelled",
  5: "returned",
  6: "running",
  7: "running",
};

/** The state a result code of an instance or a task stands for. */
export function stateOf(code: number): StepState | null {
  return byCode[code] ?? null;
}

/** Several decisions end a step at one moment: the others fall to whatever decided it. */
const weight: readonly StepState[] = ["cancelled", "approved", "returned", "rejected"];

/** Reads what to highlight. An element counts as running while anything of it is open, else by its last visit. */
export function marksOf(history: History): Marks {
  const steps = new Map<string, Mark>();
  const flows = new Set<string>();
  const markAt = (key: string) => {
    const mark = steps.get(key) ?? { state: null, tasks: [], visits: [] };
    steps.set(key, mark);
    return mark;
  };
  for (const visit of history.activities) {
    if (visit.type === "sequenceFlow") flows.add(visit.key);
    else markAt(visit.key).visits.push(visit);
  }
  for (const task of flatTasks(history.tasks)) markAt(task.taskDefinitionKey).tasks.push(task);
  for (const mark of steps.values()) mark.state = stateAt(mark, history.instance.result);
  return { steps, flows };
}

function stateAt({ tasks, visits }: Mark, result: number): StepState | null {
  if (tasks.some((task) => task.endTime === null)) return "running";
  if (tasks.length > 0) return lastDecision(tasks);
  if (visits.some((visit) => /endEvent/i.test(visit.type))) return result === 1 ? null : stateOf(result);
  return visits.some((visit) => visit.endTime === null) ? "running" : "approved";
}

function lastDecision(tasks: readonly InstanceTask[]): StepState | null {
  const last = Math.max(...tasks.map((task) => task.endTime ?? 0));
  const states = tasks.flatMap((task) => (task.endTime === last ? [stateOf(task.status)] : []));
  return weight.findLast((state) => states.includes(state)) ?? null;
}

/** How many of the people asked at once have decided; null when one person was asked. */
export function countOf(mark: Mark): { done: number; total: number } | null {
  const asked = mark.tasks.filter((task) => task.parentTaskId === "");
  const newest = Math.max(...asked.map((task) => task.createTime));
  const round = asked.filter((task) => task.createTime === newest);
  if (round.length < 2) return null;
  return { done: round.filter((task) => task.endTime !== null).length, total: round.length };
}
