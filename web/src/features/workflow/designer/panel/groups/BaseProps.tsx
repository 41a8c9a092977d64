import { useTranslation } from "@/kernel/i18n";
import { apply, type Change, set } from "../kit/change";
import { child, is, type Scope, text, useScope } from "../kit/scope";
import { TextField } from "../kit/TextField";
import type { ModdleElement } from "../kit/wire";

/** What a key may look like; others are not written. */
const KEY = /^[A-Za-z_][\w\-.$]*$/;

/** What an id of a file may look like. */
const NC_NAME = /^[A-Za-z_\u00B7-\uFFFD][\w\-.\u00B7-\uFFFD]*$/;

/** Key and name of the process, id and name of everything else. */
export function BaseProps() {
  const { bo } = useScope();
  if (is(bo, "bpmn:Process")) return <ProcessNames process={bo} />;
  const pool = is(bo, "bpmn:Participant") ? child(bo, "processRef") : undefined;
  return (
    <>
      <ElementNames />
      {pool ? <ProcessNames process={pool} /> : null}
    </>
  );
}

function ProcessNames({ process }: { process: ModdleElement }) {
  const { t } = useTranslation("panel");
  const scope = useScope();
  const key = text(process, "id");
  const taken = (id: string) => isTaken(scope, process, id);
  return (
    <>
      <TextField
        label={t("base.key")}
        help={t(scope.model ? "base.keyFixed" : "base.keyHelp")}
        value={key}
        required
        disabled={scope.model !== undefined}
        check={(next) => (next.trim() === "" ? t("base.keyEmpty") : taken(next) ? t("base.idTaken") : "")}
        onCommit={(next) => (KEY.test(next) ? apply(scope, renaming(scope, process, next)) : undefined)}
      />
      <TextField
        label={t("base.processName")}
        value={text(process, "name")}
        required
        check={(next) => (next.trim() === "" ? t("base.nameEmpty") : "")}
        onCommit={(name) => set(scope, process, { name })}
      />
    </>
  );
}

function ElementNames() {
  const { t } = useTranslation("panel");
  const scope = useScope();
  const { bo } = scope;
  const check = (next: string) => {
    if (next === "") return t("base.idEmpty");
    if (!NC_NAME.test(next)) return t("base.idFormat");
    return isTaken(scope, bo, next) ? t("base.idTaken") : "";
  };
  return (
    <>
      <TextField
        label={t("base.id")}
        value={text(bo, "id")}
        required
        check={check}
        onCommit={(id) => apply(scope, renaming(scope, bo, id))}
      />
      <NameField />
    </>
  );
}

/** The words on the canvas: of a note its text, of a frame the name of its category. */
function NameField() {
  const { t } = useTranslation("panel");
  const scope = useScope();
  const { bo } = scope;
  if (is(bo, "bpmn:Collaboration")) return null;
  const note = is(bo, "bpmn:TextAnnotation");
  const category = is(bo, "bpmn:Group") ? child(bo, "categoryValueRef") : undefined;
  if (is(bo, "bpmn:Group") && !category) return null;
  const [target, member] = category ? [category, "value"] : [bo, note ? "text" : "name"];
  return (
    <TextField
      label={t(note ? "base.note" : "base.name")}
      value={text(target, member)}
      lines={note ? 2 : undefined}
      onCommit={(next) => set(scope, target, { [member]: next === "" ? undefined : next })}
    />
  );
}

function isTaken({ modeler }: Scope, owner: ModdleElement, id: string): boolean {
  const holder = modeler.get("moddle").ids.assigned(id);
  return holder !== false && holder !== undefined && holder !== owner;
}

/** A new id; the drawing's own is named after it when it was before. */
function renaming(scope: Scope, owner: ModdleElement, id: string): Change[] {
  const { element } = scope;
  if (owner !== element.businessObject)
    return [{ target: owner, props: { id }, unclaim: text(owner, "id"), claim: id }];
  const drawn = element.di?.id === `${text(owner, "id")}_di`;
  return [{ target: owner, props: { id, ...(drawn ? { di: { id: `${id}_di` } } : {}) } }];
}
