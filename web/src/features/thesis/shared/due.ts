import { formatTime } from "@/kernel/rules";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export type DueState = "none" | "far" | "near" | "over";

export interface Due {
  state: DueState;
  /** Whole days, hours or minutes until (or since) the time, whichever reads best. */
  count: number;
  unit: "day" | "hour" | "minute";
  text: string;
}

/** Where a deadline stands at an instant of the server's clock; three days count as near. */
export function dueOf(dueAt: number, now: number): Due {
  if (!dueAt) return { state: "none", count: 0, unit: "day", text: "" };
  const gap = dueAt - now;
  const size = Math.abs(gap);
  const unit = size >= DAY ? "day" : size >= HOUR ? "hour" : "minute";
  const length = unit === "day" ? DAY : unit === "hour" ? HOUR : MINUTE;
  const count = gap >= 0 ? Math.floor(size / length) : Math.max(1, Math.floor(size / length));
  return {
    state: gap < 0 ? "over" : gap < 3 * DAY ? "near" : "far",
    count,
    unit,
    text: formatTime(dueAt),
  };
}

/** How long somebody has been waiting: whole days, or hours on the first day. */
export function waitingOf(since: number, now: number): { count: number; unit: "day" | "hour" } {
  const gap = Math.max(0, now - since);
  if (gap >= DAY) return { count: Math.floor(gap / DAY), unit: "day" };
  return { count: Math.floor(gap / HOUR), unit: "hour" };
}
