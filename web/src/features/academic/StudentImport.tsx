import { Alert, Button, Flex, Modal } from "antd";
import { useState } from "react";
import { errorText } from "@/kernel/api/errors";
import { entityOf, titleOf } from "@/kernel/crud";
import { sendSheet } from "@/kernel/crud/ImportDialog";
import { ImportOutcome, type ImportReport } from "@/kernel/crud/ImportOutcome";
import { type SheetChoice, SheetChooser } from "@/kernel/crud/SheetChooser";
import { useTranslation } from "@/kernel/i18n";

interface Props {
  onDone: () => Promise<void>;
  onClose: () => void;
}

/** What an import did, or with `dryRun` would do. */
interface StudentReport extends ImportReport {
  dryRun: boolean;
}

const entity = entityOf("thesis/students");

/** Imports students from a workbook: first a check that changes nothing, then the import itself. */
export function StudentImportDialog({ onDone, onClose }: Props) {
  const { t } = useTranslation("academic");
  const [choice, setChoice] = useState<SheetChoice>({ file: null, update: false });
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState("");
  const [report, setReport] = useState<StudentReport | null>(null);
  const run = async (dryRun: boolean) => {
    if (!choice.file) return setProblem(t("kernel:import.chooseFirst"));
    setBusy(true);
    setProblem("");
    try {
      setReport((await sendSheet(entity.path, choice, { dryRun })) as StudentReport);
      if (!dryRun) await onDone();
    } catch (error) {
      setProblem(errorText(error));
    } finally {
      setBusy(false);
    }
  };
  const finished = report?.dryRun === false;
  return (
    <Modal
      open
      title={t("import.title")}
      mask={{ closable: false }}
      onCancel={onClose}
      width={640}
      footer={<Acts report={report} busy={busy} onRun={(dryRun) => void run(dryRun)} onClose={onClose} />}
    >
      <Flex vertical gap={12}>
        {problem ? <Alert type="error" role="alert" title={problem} /> : null}
        {finished ? null : (
          <SheetChooser
            path={entity.path}
            templateName={t("kernel:import.templateName", { title: titleOf(entity) })}
            help={t("import.help")}
            updateLabel={t("import.update")}
            choice={choice}
            onChange={(next) => {
              setReport(null);
              setProblem("");
              setChoice(next);
            }}
            onProblem={setProblem}
          />
        )}
        {report ? (
          <ImportOutcome
            entity={entity}
            report={report}
            title={t(report.dryRun ? "import.checked" : "import.done", {
              created: report.created,
              updated: report.updated,
              failed: report.failures?.length ?? 0,
            })}
          />
        ) : null}
      </Flex>
    </Modal>
  );
}

interface ActsProps {
  report: StudentReport | null;
  busy: boolean;
  onRun: (dryRun: boolean) => void;
  onClose: () => void;
}

/** Check, then import; the import is offered once a check has found rows to take. */
function Acts({ report, busy, onRun, onClose }: ActsProps) {
  const { t } = useTranslation("academic");
  if (report?.dryRun === false) {
    return (
      <Button type="primary" onClick={onClose}>
        {t("kernel:action.close")}
      </Button>
    );
  }
  const useful = (report?.created ?? 0) + (report?.updated ?? 0);
  return (
    <Flex gap={8} justify="end">
      <Button onClick={() => onRun(true)} loading={busy} type={report ? "default" : "primary"}>
        {t(report ? "import.checkAgain" : "import.check")}
      </Button>
      {report ? (
        <Button type="primary" disabled={useful === 0} loading={busy} onClick={() => onRun(false)}>
          {t("import.start", { total: useful })}
        </Button>
      ) : null}
    </Flex>
  );
}
