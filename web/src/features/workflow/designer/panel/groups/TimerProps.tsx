import { useTranslation } from "@/kernel/i18n";
import { Attributes } from "../kit/Attributes";
import { apply } from "../kit/change";
import { SelectField } from "../kit/fields";
import { children, is, type Scope, useScope } from "../kit/scope";
import { TextField } from "../kit/TextField";
import {
  looksRight,
  type TimerKind,
  timerChange,
  timerExpression,
  timerKind,
  timerKinds,
  timerValue,
} from "../kit/timer";
import type { ModdleElement } from "../kit/wire";

/** The timer of an event, if it has one. */
export function timerOf({ bo }: Pick<Scope, "bo">): ModdleElement | undefined {
  return children(bo, "eventDefinitions").find((definition) => is(definition, "bpmn:TimerEventDefinition"));
}

/** When the timer of an event fires. */
export function TimerProps() {
  const { t } = useTranslation("panel");
  const scope = useScope();
  const timer = timerOf(scope);
  if (!timer) return null;
  const kind = timerKind(timer);
  const value = timerValue(timer);
  const expression = timerExpression(timer);
  const wrong = kind !== undefined && !looksRight(kind, value);
  return (
    <>
      <SelectField
        label={t("timer.kind")}
        value={kind ?? "none"}
        options={["none", ...timerKinds].map((one) => ({ value: one, label: t(`timer.kinds.${one}`) }))}
        onChange={(next) =>
          apply(scope, timerChange(scope, timer, next === "none" ? undefined : (next as TimerKind), ""))
        }
      />
      {kind ? (
        <TextField
          label={t("timer.value")}
          help={wrong ? t("timer.wrong", { example: t(`timer.example.${kind}`) }) : t(`timer.help.${kind}`)}
          expression="may"
          value={value}
          onCommit={(next) => apply(scope, timerChange(scope, timer, kind, next.trim()))}
        />
      ) : null}
      {kind === "cycle" && expression && scope.dialect !== "camunda" ? (
        <Attributes of={expression} list={[{ name: "endDate", kind: "expression" }]} />
      ) : null}
      <Attributes of={timer} list={[{ name: "businessCalendarName", for: ["activiti", "flowable"] }]} />
    </>
  );
}
