import type { Person } from "../../instance/wire";

export interface StepFigures {
  processDefinitionKey: string;
  processName: string;
  elementId: string;
  name: string;
  tasks: number;
  late: number;
  /** Milliseconds. */
  median: number;
  p90: number;
  mean: number;
}

export interface DayFigures {
  day: string;
  started: number;
  approved: number;
  rejected: number;
  cancelled: number;
}

export interface PersonFigures {
  user: Person | null;
  tasks: number;
  late: number;
  mean: number;
}

export interface PeriodFigures {
  from: string;
  to: string;
  steps: StepFigures[];
  days: DayFigures[];
  people: PersonFigures[];
}

export interface Load {
  user: Person | null;
  tasks: number;
  longWait: number;
  overdue: number;
  oldest: number;
}

export interface PresentFigures {
  tasks: number;
  longWait: number;
  overdue: number;
  incidents: number;
  people: Load[];
}

export const ended = (day: DayFigures) => day.approved + day.rejected + day.cancelled;
