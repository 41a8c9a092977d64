import { t } from "@/kernel/i18n";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A span of time in its two largest units: 3 天 2 小时. */
export function durationText(millis: number): string {
  if (millis < MINUTE) return t("workflow:instance.seconds", { n: Math.max(1, Math.round(millis / 1000)) });
  const days = Math.floor(millis / DAY);
  const hours = Math.floor((millis % DAY) / HOUR);
  const minutes = Math.floor((millis % HOUR) / MINUTE);
  const parts = [
    days > 0 ? t("workflow:instance.days", { n: days }) : "",
    hours > 0 ? t("workflow:instance.hours", { n: hours }) : "",
    days === 0 && minutes > 0 ? t("workflow:instance.minutes", { n: minutes }) : "",
  ];
  return parts.filter(Boolean).join(" ");
}

/** A person with the department, as lists and timelines name them. */
export function personText(person: { nickname: string; deptName?: string } | null | undefined): string {
  if (!person) return "";
  return person.deptName ? `${person.nickname}（${person.deptName}）` : person.nickname;
}
