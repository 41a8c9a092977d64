import { useTranslation } from "@/kernel/i18n";
import { set } from "./change";
import { SelectField } from "./fields";
import { type Scope, text, useScope, vendor } from "./scope";
import { TextField } from "./TextField";
import type { ModdleElement } from "./wire";

export type ScriptType = "inlineScript" | "externalScript";

/** What changes when a script moves into the file or out of it: the other place is emptied. */
export function scriptSwitch(scope: Scope, body: string, type: ScriptType): Record<string, unknown> {
  const inline = type === "inlineScript";
  return { [body]: inline ? "" : undefined, [vendor(scope, "resource")]: inline ? undefined : "" };
}

interface Props {
  of: ModdleElement;
  /** The members that hold the language and the text. */
  format: string;
  body: string;
  write: (type: ScriptType) => void;
}

/** A script: its language, and its text or where that is found. */
export function ScriptFields({ of, format, body, write }: Props) {
  const { t } = useTranslation("panel");
  const scope = useScope();
  const resource = vendor(scope, "resource");
  const type: ScriptType = of.get(resource) === undefined ? "inlineScript" : "externalScript";
  return (
    <>
      <TextField
        label={t("script.format")}
        value={text(of, format)}
        check={(next) => (format === "language" && next.trim() === "" ? t("script.formatEmpty") : "")}
        onCommit={(next) => set(scope, of, { [format]: next.trim() || undefined })}
      />
      <SelectField
        label={t("script.type")}
        value={type}
        options={["inlineScript", "externalScript"].map((value) => ({
          value,
          label: t(`script.types.${value}`),
        }))}
        onChange={(next) => write(next as ScriptType)}
      />
      {type === "inlineScript" ? (
        <TextField
          label={t("script.body")}
          value={text(of, body)}
          lines={3}
          onCommit={(next) => set(scope, of, { [body]: next })}
        />
      ) : (
        <TextField
          label={t("script.resource")}
          value={text(of, resource)}
          onCommit={(next) => set(scope, of, { [resource]: next })}
        />
      )}
    </>
  );
}
