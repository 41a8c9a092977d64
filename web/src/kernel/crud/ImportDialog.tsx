import { useQueryClient } from "@tanstack/react-query";
import { Alert, Flex, Modal } from "antd";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { post } from "@/kernel/api/client";
import { errorText } from "@/kernel/api/errors";
import type { Entity } from "./entity";
import { ImportOutcome, type ImportReport } from "./ImportOutcome";
import { type SheetChoice, SheetChooser } from "./SheetChooser";

export type { ImportReport } from "./ImportOutcome";

interface Props {
  entity: Entity;
  /** What is imported, as the page is called. */
  title: string;
  open: boolean;
  /** Texts of an import that is more than rows of a table. */
  texts?: Partial<{ title: string; help: string; update: string; created: string }>;
  /** Reads an answer that is not an ImportReport. */
  read?: (answer: unknown) => ImportReport;
  onClose: () => void;
}

const nothing: SheetChoice = { file: null, update: false };

/** Imports an Excel file and lists every row that was not taken with its reason. */
export function ImportDialog({ entity, title, open, texts = {}, read, onClose }: Props) {
  const { t } = useTranslation("kernel");
  const client = useQueryClient();
  const [choice, setChoice] = useState(nothing);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState("");
  const [report, setReport] = useState<ImportReport | null>(null);

  const close = () => {
    setChoice(nothing);
    setReport(null);
    setProblem("");
    onClose();
  };
  const start = async () => {
    if (!choice.file) return setProblem(t("import.chooseFirst"));
    setBusy(true);
    setProblem("");
    try {
      const answer = await sendSheet(entity.path, choice);
      setReport(read ? read(answer) : (answer as ImportReport));
      await client.invalidateQueries({ queryKey: [entity.path] });
    } catch (error) {
      setProblem(errorText(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Modal
      open={open}
      title={texts.title ?? t("import.title", { title })}
      mask={{ closable: false }}
      destroyOnHidden
      onCancel={close}
      okText={t(report ? "action.close" : "import.start")}
      cancelText={t("action.cancel")}
      cancelButtonProps={report ? { style: { display: "none" } } : undefined}
      confirmLoading={busy}
      onOk={report ? close : () => void start()}
      width={640}
    >
      <Flex vertical gap={12}>
        {problem ? <Alert type="error" role="alert" title={problem} /> : null}
        {report ? (
          <ImportOutcome
            entity={entity}
            report={report}
            title={t("import.done", {
              created: report.created,
              updated: report.updated,
              failed: report.failures?.length ?? 0,
            })}
            note={report.created > 0 ? texts.created : undefined}
          />
        ) : (
          <SheetChooser
            path={entity.path}
            templateName={t("import.templateName", { title })}
            help={texts.help ?? t("import.help")}
            updateLabel={texts.update ?? t("import.update")}
            choice={choice}
            onChange={(next) => {
              setChoice(next);
              setProblem("");
            }}
            onProblem={setProblem}
          />
        )}
      </Flex>
    </Modal>
  );
}

/** Sends a sheet to the import call of an entity; more are further members of the query. */
export function sendSheet(path: string, { file, update }: SheetChoice, more?: object): Promise<unknown> {
  const body = new FormData();
  if (file) body.append("file", file);
  const query = { updateSupport: update, ...more };
  return post<unknown>(`${path}/import`, body, { silent: true, timeout: 300_000, query });
}
