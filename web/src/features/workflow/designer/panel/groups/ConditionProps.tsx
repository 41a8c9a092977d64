import { useTranslation } from "@/kernel/i18n";
import { Attributes } from "../kit/Attributes";
import { apply, type Change, makeExpression, set } from "../kit/change";
import { SelectField } from "../kit/fields";
import { ScriptFields, scriptSwitch } from "../kit/ScriptFields";
import { child, is, type Scope, text, useScope, vendor } from "../kit/scope";
import { TextField } from "../kit/TextField";
import type { ModdleElement } from "../kit/wire";

type FlowType = "normal" | "default" | "condition";

/** Elements one of whose flows may be taken when no condition holds. */
const withDefault = [
  "bpmn:ExclusiveGateway",
  "bpmn:InclusiveGateway",
  "bpmn:ComplexGateway",
  "bpmn:Activity",
];

/** When a flow is taken. */
export function ConditionProps() {
  const { t } = useTranslation("panel");
  const scope = useScope();
  const { bo } = scope;
  const source = child(bo, "sourceRef");
  const condition = child(bo, "conditionExpression");
  const type: FlowType = source?.get("default") === bo ? "default" : condition ? "condition" : "normal";
  const types: FlowType[] = is(source, ...withDefault)
    ? ["normal", "default", "condition"]
    : ["normal", "condition"];
  return (
    <>
      <SelectField
        label={t("condition.type")}
        value={type}
        options={types.map((value) => ({ value, label: t(`condition.types.${value}`) }))}
        help={t(`condition.about.${type}`)}
        onChange={(next) => apply(scope, typeChanges(scope, source, next as FlowType))}
      />
      {condition && type === "condition" ? <Condition condition={condition} /> : null}
      <Attributes
        of={bo}
        list={[{ name: "skipExpression", kind: "expression", for: ["activiti", "flowable"] }]}
      />
    </>
  );
}

function Condition({ condition }: { condition: ModdleElement }) {
  const { t } = useTranslation("panel");
  const scope = useScope();
  const script = text(condition, "language") !== "" || condition.get(vendor(scope, "resource")) !== undefined;
  const format = script ? "script" : "expression";
  const change = (next: string) =>
    set(scope, condition, {
      language: next === "script" ? "javascript" : undefined,
      [vendor(scope, "resource")]: undefined,
    });
  return (
    <>
      <SelectField
        label={t("condition.format")}
        value={format}
        options={["expression", "script"].map((value) => ({ value, label: t(`condition.formats.${value}`) }))}
        onChange={change}
      />
      {script ? (
        <ScriptFields
          of={condition}
          format="language"
          body="body"
          write={(next) => set(scope, condition, scriptSwitch(scope, "body", next))}
        />
      ) : (
        <TextField
          label={t("condition.expression")}
          help={t("condition.expressionHelp")}
          expression="must"
          lines={2}
          value={text(condition, "body")}
          onCommit={(body) => set(scope, condition, { body })}
        />
      )}
    </>
  );
}

/** One flow of an element is its default; a flow with a condition is not. */
function typeChanges(scope: Scope, source: ModdleElement | undefined, type: FlowType): Change[] {
  const { bo, modeler } = scope;
  const changes: Change[] = [];
  const isDefault = source?.get("default") === bo;
  if (type !== "condition" && bo.get("conditionExpression"))
    changes.push({ target: bo, props: { conditionExpression: undefined } });
  if (type === "condition" && !bo.get("conditionExpression")) {
    const conditionExpression = makeExpression(scope, " ", bo);
    conditionExpression?.set("body", "");
    changes.push({ target: bo, props: { conditionExpression } });
  }
  if (source && (type === "default") !== isDefault) {
    const before = child(source, "default");
    const shape =
      before && before !== bo ? modeler.get("elementRegistry").get(text(before, "id")) : undefined;
    changes.push({ target: source, props: { default: type === "default" ? bo : undefined } });
    // The flow that was the default until now loses its mark.
    if (before && shape) changes.push({ target: before, shape, props: {} });
  }
  return changes;
}
