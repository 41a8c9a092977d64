import { i18n, t } from "@/kernel/i18n";
import type { StepState } from "./marks";

/** A kind of step in words; kinds without words keep BPMN's name. */
export function typeName(type: string): string {
  const key = `workflow:viewer.type.${type}`;
  return i18n.exists(key) ? t(key) : type;
}

/** What a step is called, its kind when it has no name. */
export function stepName({ name, type }: { name: string; type: string }): string {
  return name || typeName(type);
}

/** What became of a step, in words. */
export function stateName(state: StepState): string {
  return t(`workflow:viewer.state.${state}`);
}
