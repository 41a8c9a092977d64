import dayjs, { type Dayjs } from "dayjs";
import { currentLanguage } from "@/kernel/i18n";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Milliseconds of a time value; timestamps of ten digits are seconds. */
export function toMillis(value: number | string | Date): number {
  if (value instanceof Date) return value.getTime();
  if (typeof value === "number" || /^\d+$/.test(value)) {
    return String(value).length === 10 ? Number(value) * 1000 : Number(value);
  }
  return dayjs(value).valueOf();
}

export function formatTime(
  value: number | string | Date | null | undefined,
  pattern = "YYYY-MM-DD HH:mm",
): string {
  if (value === null || value === undefined || value === "") return "";
  const time = dayjs(toMillis(value));
  return time.isValid() ? time.format(pattern) : "";
}

/** 刚刚 under 30 s, then minutes and hours, 1天前 under two days, else the date and time. */
export function relativeTime(value: number | string | Date, now: number = Date.now()): string {
  const time = toMillis(value);
  const gap = now - time;
  const english = currentLanguage() === "en";
  if (gap < 0 || gap >= 2 * DAY) return formatTime(time);
  if (gap < 30_000) return english ? "just now" : "刚刚";
  if (gap < HOUR) return ago(Math.ceil(gap / MINUTE), english ? "minute" : "分钟前");
  if (gap < DAY) return ago(Math.ceil(gap / HOUR), english ? "hour" : "小时前");
  return english ? "1 day ago" : "1天前";
}

function ago(count: number, unit: string): string {
  if (!/^[a-z]/.test(unit)) return `${count}${unit}`;
  return `${count} ${unit}${count === 1 ? "" : "s"} ago`;
}

/** The two ends of a date range as the server reads them: 00:00:00 of the first, 23:59:59 of the last day. */
export function dateRange(from: Dayjs | string, to: Dayjs | string): [string, string] {
  return [`${dayjs(from).format("YYYY-MM-DD")} 00:00:00`, `${dayjs(to).format("YYYY-MM-DD")} 23:59:59`];
}

/** Adds `name[0]` and `name[1]` of a date range to a query; nothing when the range is empty. */
export function addDateRange(
  query: Record<string, unknown>,
  range: readonly (string | Dayjs)[] | null | undefined,
  name = "createTime",
): Record<string, unknown> {
  const [from, to] = range ?? [];
  if (!from || !to) return { ...query };
  const [start, end] = dateRange(from, to);
  return { ...query, [`${name}[0]`]: start, [`${name}[1]`]: end };
}

/** Years to choose from: 2023 up to four years ahead. */
export function yearList(now: Date = new Date()): number[] {
  const last = now.getFullYear() + 4;
  return Array.from({ length: last - 2023 + 1 }, (_, i) => 2023 + i);
}

/** The default start of time filters: so many days back at 00:00:00. */
export function startDefault(days = 90, now: Date = new Date()): string {
  return `${dayjs(now).subtract(days, "day").format("YYYY-MM-DD")} 00:00:00`;
}
