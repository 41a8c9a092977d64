import { useTranslation } from "@/kernel/i18n";
import { AsyncFields } from "../kit/AsyncFields";
import { useScope } from "../kit/scope";

/** Whether the engine pauses before and after the element. */
export function AsyncProps() {
  const { t } = useTranslation("panel");
  const { bo } = useScope();
  return (
    <>
      <p>{t("async.about")}</p>
      <AsyncFields of={bo} />
    </>
  );
}
