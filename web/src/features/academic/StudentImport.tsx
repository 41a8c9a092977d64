import { DownloadOutlined } from "@ant-design/icons";
import { Alert, Button, Checkbox, Flex, Modal, Table } from "antd";
import { useRef, useState } from "react";
import { download } from "@/kernel/api/client";
import { errorText } from "@/kernel/api/errors";
import { useTranslation } from "@/kernel/i18n";
import { type ImportRefusal, importStudents, type StudentImport } from "./calls";

interface Props {
  open: boolean;
  onDone: () => Promise<void>;
  onClose: () => void;
}

/** Imports students from a workbook: first a check that changes nothing, then the import itself. */
export function StudentImportDialog({ open, onDone, onClose }: Props) {
  const { t } = useTranslation("academic");
  const [file, setFile] = useState<File | null>(null);
  const [update, setUpdate] = useState(false);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState("");
  const [report, setReport] = useState<StudentImport | null>(null);

  const forget = () => {
    setReport(null);
    setProblem("");
  };
  const close = () => {
    setFile(null);
    forget();
    onClose();
  };
  const run = async (dryRun: boolean) => {
    if (!file) return setProblem(t("import.chooseFirst"));
    setBusy(true);
    setProblem("");
    try {
      setReport(await importStudents(file, { dryRun, updateSupport: update }));
      if (!dryRun) await onDone();
    } catch (error) {
      setProblem(errorText(error));
    } finally {
      setBusy(false);
    }
  };
  const checked = report?.dryRun === true;
  const finished = report?.dryRun === false;
  const useful = (report?.created ?? 0) + (report?.updated ?? 0);
  return (
    <Modal
      open={open}
      title={t("import.title")}
      onCancel={close}
      width={640}
      destroyOnHidden
      footer={
        finished ? (
          <Button type="primary" onClick={close}>
            {t("import.close")}
          </Button>
        ) : (
          <Flex gap={8} justify="end">
            <Button onClick={() => void run(true)} loading={busy} type={checked ? "default" : "primary"}>
              {t(checked ? "import.checkAgain" : "import.check")}
            </Button>
            {checked ? (
              <Button type="primary" disabled={useful === 0} loading={busy} onClick={() => void run(false)}>
                {t("import.start", { total: useful })}
              </Button>
            ) : null}
          </Flex>
        )
      }
    >
      <Flex vertical gap={12}>
        {problem ? <Alert type="error" role="alert" title={problem} /> : null}
        {finished ? null : (
          <Chooser
            file={file}
            update={update}
            onFile={(next) => {
              forget();
              setFile(next);
            }}
            onUpdate={(next) => {
              forget();
              setUpdate(next);
            }}
            onProblem={setProblem}
          />
        )}
        {report ? <Report report={report} /> : null}
      </Flex>
    </Modal>
  );
}

interface ChooserProps {
  file: File | null;
  update: boolean;
  onFile: (file: File | null) => void;
  onUpdate: (update: boolean) => void;
  onProblem: (text: string) => void;
}

function Chooser({ file, update, onFile, onUpdate, onProblem }: ChooserProps) {
  const { t } = useTranslation("academic");
  const input = useRef<HTMLInputElement>(null);
  const template = () =>
    download("/thesis/students/get-import-template", undefined, t("import.templateName")).catch(
      (error: unknown) => onProblem(errorText(error)),
    );
  return (
    <>
      <div>{t("import.help")}</div>
      <Button
        type="link"
        icon={<DownloadOutlined />}
        style={{ alignSelf: "start" }}
        onClick={() => void template()}
      >
        {t("import.template")}
      </Button>
      <Flex gap={8} align="center" wrap>
        <Button onClick={() => input.current?.click()}>{t("import.choose")}</Button>
        <span>{file?.name}</span>
        <input
          ref={input}
          type="file"
          hidden
          accept=".xlsx"
          aria-label={t("import.choose")}
          onChange={(event) => {
            onFile(event.target.files?.[0] ?? null);
            event.target.value = "";
          }}
        />
      </Flex>
      <Checkbox checked={update} onChange={(event) => onUpdate(event.target.checked)}>
        {t("import.update")}
      </Checkbox>
    </>
  );
}

function Report({ report }: { report: StudentImport }) {
  const { t } = useTranslation("academic");
  const { created, updated, failures, dryRun } = report;
  const counts = { created, updated, failed: failures.length };
  return (
    <>
      <Alert
        role="status"
        type={failures.length > 0 ? "warning" : "success"}
        title={t(dryRun ? "import.checked" : "import.done", counts)}
      />
      {failures.length > 0 ? (
        <Table<ImportRefusal>
          rowKey={(item) => `${item.row}-${item.msg}`}
          aria-label={t("import.refused")}
          size="small"
          dataSource={failures}
          pagination={failures.length > 20 ? { pageSize: 20, showSizeChanger: false } : false}
          columns={[
            { title: t("import.row"), dataIndex: "row", width: 80 },
            { title: t("import.reason"), dataIndex: "msg" },
          ]}
        />
      ) : null}
    </>
  );
}
