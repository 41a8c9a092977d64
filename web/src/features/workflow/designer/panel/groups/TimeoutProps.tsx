import { useTranslation } from "@/kernel/i18n";
import { apply } from "../kit/change";
import { extensionText, extensionTexts } from "../kit/extensions";
import { SelectField } from "../kit/fields";
import { useScope } from "../kit/scope";

/** The kind of boundary event that the approval layer takes care of. */
const OF_TASK = "1";

/** What happens when a user task was not decided in time; said by the timer at its border. */
export function TimeoutProps() {
  const { t } = useTranslation("panel");
  const scope = useScope();
  const own = extensionText(scope, scope.bo, "BoundaryEventType") === OF_TASK;
  const handler = own ? extensionText(scope, scope.bo, "TimeoutHandlerType") : "";
  const write = (next: string) =>
    apply(
      scope,
      extensionTexts(scope, scope.bo, {
        BoundaryEventType: next === "" ? "" : OF_TASK,
        TimeoutHandlerType: next,
      }),
    );
  return (
    <SelectField
      label={t("timeout.title")}
      help={t("timeout.help")}
      value={handler}
      options={["", "1", "2", "3"].map((value) => ({ value, label: t(`timeout.choice.${value || "none"}`) }))}
      onChange={write}
    />
  );
}
