import { ApiError } from "@/kernel/api/errors";
import { t } from "@/kernel/i18n";
import { lengthOf } from "../shared/length";
import type { Verdict } from "./calls";

export const OPINION_MAX = 2000;
const least: Record<Verdict, number> = { approve: 0, return: 5, reject: 10 };

/** What is wrong with an opinion for a verdict; "" when nothing is. */
export function opinionProblem(verdict: Verdict, opinion: string): string {
  const n = lengthOf(opinion);
  if (n > OPINION_MAX) return t("thesis:subject.tooLong", { max: OPINION_MAX, n });
  if (n < least[verdict]) return t(`thesis:decide.${verdict}Needs`, { min: least[verdict], n });
  return "";
}

/** Somebody else was faster: who, when, and with which event. */
export interface Handled {
  handledBy: string;
  handledAt: number;
  event: string;
}

const WRONG_STATE = 1070001003;

export function handledOf(error: unknown): Handled | null {
  if (!(error instanceof ApiError) || error.code !== WRONG_STATE) return null;
  const data = error.data as Partial<Handled> | null;
  return data?.handledBy
    ? { handledBy: data.handledBy, handledAt: data.handledAt ?? 0, event: data.event ?? "" }
    : null;
}
