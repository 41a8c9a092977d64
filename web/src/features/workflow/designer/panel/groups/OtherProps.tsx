import { useTranslation } from "@/kernel/i18n";
import { apply, make, set } from "../kit/change";
import { children, text, useScope } from "../kit/scope";
import { TextField } from "../kit/TextField";

/** The documentation of an element; further ones of the file are kept. */
export function OtherProps() {
  const { t } = useTranslation("panel");
  const scope = useScope();
  const { bo } = scope;
  const all = children(bo, "documentation");
  const [first] = all;
  const write = (next: string) => {
    if (first && next !== "") set(scope, first, { text: next });
    else if (first) set(scope, bo, { documentation: all.slice(1) });
    else
      apply(scope, [
        { target: bo, props: { documentation: [make(scope, "bpmn:Documentation", { text: next }, bo)] } },
      ]);
  };
  return (
    <TextField label={t("other.documentation")} lines={2} value={text(first, "text")} onCommit={write} />
  );
}
