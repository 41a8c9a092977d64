import { Alert, Button } from "antd";
import { useTranslation } from "@/kernel/i18n";
import { formatTime } from "@/kernel/rules";
import type { DesignerWork } from "./useDesigner";

/** What has to be said about the file: a draft, a refusal, parts that could not be drawn. */
export function Messages({ work }: { work: DesignerWork }) {
  const { t } = useTranslation(["designer", "kernel"]);
  const { draft, sheet } = work;
  const warnings = sheet && sheet !== work.quiet ? sheet.warnings : [];
  return (
    <div className="designer-messages">
      {draft.found ? (
        <Alert
          type="info"
          title={t("draft.found", { time: formatTime(draft.found.at) })}
          action={
            <>
              <Button size="small" onClick={() => void work.restore()}>
                {t("kernel:form.draftRestore")}
              </Button>
              <Button size="small" type="text" onClick={draft.answer}>
                {t("kernel:form.draftDrop")}
              </Button>
            </>
          }
        />
      ) : null}
      {work.problem ? (
        <Alert type="error" role="alert" title={work.problem} closable={{ onClose: work.dismiss }} />
      ) : null}
      {warnings.length > 0 ? (
        <Alert
          type="warning"
          title={t("open.warnings", { n: warnings.length })}
          closable={{ onClose: () => work.hush() }}
          description={
            <details>
              <summary>{t("open.warningList")}</summary>
              <ul className="designer-warnings">
                {warnings.map((text) => (
                  <li key={text}>{text}</li>
                ))}
              </ul>
            </details>
          }
        />
      ) : null}
    </div>
  );
}
