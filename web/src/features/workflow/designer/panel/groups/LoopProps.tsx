import { useTranslation } from "@/kernel/i18n";
import { AsyncFields } from "../kit/AsyncFields";
import { type Attribute, Attributes } from "../kit/Attributes";
import { apply, type Change, expressionChange, make } from "../kit/change";
import { SelectField } from "../kit/fields";
import { child, is, type Scope, text, useScope, vendor } from "../kit/scope";
import { TextField } from "../kit/TextField";
import type { ModdleElement } from "../kit/wire";

const kinds = ["Null", "StandardLoop", "SequentialMultiInstance", "ParallelMultiInstance"] as const;
type LoopKind = (typeof kinds)[number];

/** The list of users that a parallel multi-instance goes through unless told otherwise. */
const COLLECTION = `\${coll_userList}`;

const attributes: readonly Attribute[] = [
  { name: "collection", kind: "expression" },
  { name: "elementVariable" },
  { name: "elementIndexVariable", for: ["activiti", "flowable"] },
  { name: "noWaitStatesAsyncLeave", kind: "check", standard: false, for: ["flowable"] },
];

const standard: readonly Attribute[] = [
  { name: "testBefore", plain: true, kind: "check", standard: false },
  { name: "loopMaximum", plain: true },
];

function kindOf(loop: ModdleElement | undefined): LoopKind {
  if (!loop) return "Null";
  if (is(loop, "bpmn:StandardLoopCharacteristics")) return "StandardLoop";
  return loop.get("isSequential") === true ? "SequentialMultiInstance" : "ParallelMultiInstance";
}

/** Whether a task is done several times, one after another or at once. */
export function LoopProps() {
  const { t } = useTranslation("panel");
  const scope = useScope();
  const loop = child(scope.bo, "loopCharacteristics");
  const kind = kindOf(loop);
  return (
    <>
      <SelectField
        label={t("loop.kind")}
        value={kind}
        options={kinds.map((value) => ({ value, label: t(`loop.kinds.${value}`) }))}
        help={t(`loop.about.${kind}`)}
        onChange={(next) => apply(scope, kindChanges(scope, loop, next as LoopKind))}
      />
      {loop && kind === "StandardLoop" ? (
        <>
          <Expression of={loop} name="loopCondition" />
          <Attributes of={loop} list={standard} />
        </>
      ) : null}
      {loop && kind.endsWith("MultiInstance") ? <MultiInstance loop={loop} /> : null}
    </>
  );
}

function MultiInstance({ loop }: { loop: ModdleElement }) {
  const { t } = useTranslation("panel");
  return (
    <>
      <Expression of={loop} name="loopCardinality" />
      <Attributes of={loop} list={attributes} />
      <Expression of={loop} name="completionCondition" />
      <h3 className="panel-sub">{t("group.async")}</h3>
      <AsyncFields of={loop} />
    </>
  );
}

function Expression({ of, name }: { of: ModdleElement; name: string }) {
  const { t } = useTranslation("panel");
  const scope = useScope();
  return (
    <TextField
      label={t(`attr.${name}`)}
      value={text(child(of, name), "body")}
      expression="may"
      onCommit={(next) => apply(scope, [expressionChange(scope, of, name, next.trim())])}
    />
  );
}

/** Between the two kinds of multi-instance everything but the order is kept. */
function kindChanges(scope: Scope, loop: ModdleElement | undefined, kind: LoopKind): Change[] {
  const { bo } = scope;
  const collection = vendor(scope, "collection");
  const parallel = kind === "ParallelMultiInstance";
  if (loop && kind.endsWith("MultiInstance") && is(loop, "bpmn:MultiInstanceLoopCharacteristics")) {
    const props: Record<string, unknown> = { isSequential: !parallel };
    if (parallel && text(loop, collection) === "") props[collection] = COLLECTION;
    return [{ target: loop, props }];
  }
  const made = () => {
    if (kind === "StandardLoop") return make(scope, "bpmn:StandardLoopCharacteristics", {}, bo);
    const props = parallel ? { [collection]: COLLECTION } : { isSequential: true };
    return make(scope, "bpmn:MultiInstanceLoopCharacteristics", props, bo);
  };
  return [{ target: bo, props: { loopCharacteristics: kind === "Null" ? undefined : made() } }];
}
