import { Form, Select } from "antd";
import { useId } from "react";
import { useTranslation } from "@/kernel/i18n";
import { type Attribute, Attributes } from "../kit/Attributes";
import { apply, expressionChange, set } from "../kit/change";
import { CheckField } from "../kit/fields";
import { RootSelect } from "../kit/RootSelect";
import type { RootKind } from "../kit/roots";
import { child, children, is, type Scope, text, useScope } from "../kit/scope";
import { TextField } from "../kit/TextField";
import type { ModdleElement } from "../kit/wire";
import { ServiceProps } from "./ServiceProps";

const refs: Record<string, RootKind> = {
  "bpmn:MessageEventDefinition": "Message",
  "bpmn:SignalEventDefinition": "Signal",
  "bpmn:EscalationEventDefinition": "Escalation",
};

const heirs = ["activiti", "flowable"] as const;

const attributes: Record<string, readonly Attribute[]> = {
  "bpmn:MessageEventDefinition": [{ name: "messageExpression", kind: "expression", for: ["flowable"] }],
  "bpmn:SignalEventDefinition": [
    { name: "async", kind: "check", standard: false, for: ["camunda"] },
    { name: "signalExpression", kind: "expression", for: ["flowable"] },
  ],
  "bpmn:EscalationEventDefinition": [{ name: "escalationCodeVariable", for: ["camunda"] }],
  "bpmn:TerminateEventDefinition": [
    { name: "terminateAll", kind: "check", standard: false, for: heirs },
    { name: "terminateMultiInstance", kind: "check", standard: false, for: heirs },
  ],
  "bpmn:ConditionalEventDefinition": [
    { name: "variableName", for: ["camunda"] },
    { name: "variableEvents", for: ["camunda"], help: "variableEvents" },
  ],
  "bpmn:LinkEventDefinition": [{ name: "name", plain: true, label: "linkName" }],
};

/** Whether the event may let its task go on, and may be told so. */
export function mayGoOn({ bo }: Pick<Scope, "bo">): boolean {
  const inEventProcess = is(bo, "bpmn:StartEvent") && bo.$parent?.get("triggeredByEvent") === true;
  return is(bo, "bpmn:BoundaryEvent") || inEventProcess;
}

/** What an event defines beside timers and errors. */
export const definitionsOf = ({ bo }: Pick<Scope, "bo">) =>
  children(bo, "eventDefinitions").filter(
    (definition) => !is(definition, "bpmn:TimerEventDefinition", "bpmn:ErrorEventDefinition"),
  );

/** What an event waits for or sends. */
export function EventProps() {
  const { t } = useTranslation("panel");
  const scope = useScope();
  const { bo } = scope;
  const going = is(bo, "bpmn:BoundaryEvent") ? "cancelActivity" : "isInterrupting";
  return (
    <>
      {mayGoOn(scope) ? (
        <CheckField
          label={t(`attr.${going}`)}
          value={bo.get(going) !== false}
          onChange={(next) => set(scope, bo, { [going]: next })}
        />
      ) : null}
      {definitionsOf(scope).map((definition, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: definitions are not reordered while they are shown.
        <Definition key={at} of={definition} />
      ))}
    </>
  );
}

function Definition({ of }: { of: ModdleElement }) {
  const { bo } = useScope();
  const ref = refs[of.$type];
  const sends = is(bo, "bpmn:ThrowEvent") && of.$type === "bpmn:MessageEventDefinition";
  return (
    <>
      {ref ? <RootSelect kind={ref} of={of} /> : null}
      {of.$type === "bpmn:ConditionalEventDefinition" ? <EventCondition of={of} /> : null}
      {of.$type === "bpmn:CompensateEventDefinition" ? <Compensation of={of} /> : null}
      <Attributes of={of} list={attributes[of.$type] ?? []} />
      {sends ? <ServiceProps of={of} /> : null}
    </>
  );
}

function EventCondition({ of }: { of: ModdleElement }) {
  const { t } = useTranslation("panel");
  const scope = useScope();
  return (
    <TextField
      label={t("condition.expression")}
      expression="must"
      value={text(child(of, "condition"), "body")}
      onCommit={(next) => apply(scope, [expressionChange(scope, of, "condition", next.trim())])}
    />
  );
}

/** What is compensated, and whether that is waited for. */
function Compensation({ of }: { of: ModdleElement }) {
  const { t } = useTranslation("panel");
  const scope = useScope();
  const id = useId();
  const activities = scope.modeler
    .get("elementRegistry")
    .getAll()
    .filter(({ type, businessObject }) => type !== "label" && is(businessObject, "bpmn:Activity"))
    .map(({ businessObject }) => businessObject);
  const chosen = child(of, "activityRef");
  return (
    <>
      <Form.Item label={t("event.activity")} htmlFor={id}>
        <Select
          id={id}
          allowClear
          placeholder={t("event.allActivities")}
          value={chosen ? text(chosen, "id") : undefined}
          options={activities.map((one) => ({
            value: text(one, "id"),
            label: text(one, "name") || text(one, "id"),
          }))}
          onChange={(next?: string) =>
            set(scope, of, { activityRef: activities.find((one) => text(one, "id") === next) })
          }
        />
      </Form.Item>
      <CheckField
        label={t("attr.waitForCompletion")}
        value={of.get("waitForCompletion") !== false}
        onChange={(waitForCompletion) => set(scope, of, { waitForCompletion })}
      />
    </>
  );
}
