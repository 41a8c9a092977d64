import { DownloadOutlined } from "@ant-design/icons";
import { Alert, Button, Checkbox, Flex, Modal, Table } from "antd";
import { useRef, useState } from "react";
import { download, post } from "@/kernel/api/client";
import { errorText } from "@/kernel/api/errors";
import { fieldOf, labelOf } from "@/kernel/crud";
import { useTranslation } from "@/kernel/i18n";
import { entity } from "./types";

/** What the import answers: names that were taken, and every refused row of the sheet. */
interface Report {
  createUsernames: string[];
  updateUsernames: string[];
  failures: { row: number; msg: string; fields: { name: string; message: string }[] | null }[];
}

interface Props {
  open: boolean;
  onDone: () => Promise<void>;
  onClose: () => void;
}

/** Imports accounts from a workbook; good rows stay, refused ones are listed with their reasons. */
export function UserImport({ open, onDone, onClose }: Props) {
  const { t } = useTranslation("identity");
  const [file, setFile] = useState<File | null>(null);
  const [update, setUpdate] = useState(false);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState("");
  const [report, setReport] = useState<Report | null>(null);
  const close = () => {
    setFile(null);
    setReport(null);
    setProblem("");
    onClose();
  };
  const start = async () => {
    if (!file) return setProblem(t("kernel:import.chooseFirst"));
    setBusy(true);
    setProblem("");
    const body = new FormData();
    body.append("file", file);
    const opts = { silent: true, timeout: 300_000, query: { updateSupport: update } };
    try {
      setReport(await post<Report>("/system/user/import", body, opts));
      await onDone();
    } catch (error) {
      setProblem(errorText(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Modal
      open={open}
      title={t("user.importTitle")}
      mask={{ closable: false }}
      destroyOnHidden
      onCancel={close}
      okText={t(report ? "kernel:action.close" : "kernel:import.start")}
      cancelText={t("kernel:action.cancel")}
      cancelButtonProps={report ? { style: { display: "none" } } : undefined}
      confirmLoading={busy}
      onOk={report ? close : () => void start()}
      width={640}
    >
      <Flex vertical gap={12}>
        {problem ? <Alert type="error" role="alert" title={problem} /> : null}
        {report ? (
          <Outcome report={report} />
        ) : (
          <Chooser
            file={file}
            update={update}
            onUpdate={setUpdate}
            onProblem={setProblem}
            onFile={(next) => {
              setFile(next);
              setProblem("");
            }}
          />
        )}
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
  const { t } = useTranslation("identity");
  const input = useRef<HTMLInputElement>(null);
  const template = () =>
    download("/system/user/get-import-template", undefined, `${t("user.templateName")}.xlsx`).catch(
      (error: unknown) => onProblem(errorText(error)),
    );
  return (
    <>
      <div>{t("user.importHelp")}</div>
      <Button
        type="link"
        icon={<DownloadOutlined />}
        style={{ alignSelf: "start", paddingInline: 0 }}
        onClick={() => void template()}
      >
        {t("kernel:import.template")}
      </Button>
      <Flex gap={8} align="center" wrap>
        <Button onClick={() => input.current?.click()}>{t("kernel:import.choose")}</Button>
        <span>{file?.name}</span>
        <input
          ref={input}
          type="file"
          hidden
          accept=".xlsx"
          aria-label={t("kernel:import.choose")}
          onChange={(event) => {
            onFile(event.target.files?.[0] ?? null);
            event.target.value = "";
          }}
        />
      </Flex>
      <Checkbox checked={update} onChange={(event) => onUpdate(event.target.checked)}>
        {t("user.importUpdate")}
      </Checkbox>
    </>
  );
}

interface Reason {
  row: number;
  field: string;
  message: string;
}

function Outcome({ report }: { report: Report }) {
  const { t } = useTranslation("identity");
  const reasons: Reason[] = report.failures.flatMap(({ row, msg, fields }) =>
    fields?.length
      ? fields.map(({ name, message }) => {
          const field = fieldOf(entity, name);
          return { row, field: field ? labelOf(field) : name, message };
        })
      : [{ row, field: "", message: msg }],
  );
  const counts = {
    created: report.createUsernames.length,
    updated: report.updateUsernames.length,
    failed: report.failures.length,
  };
  return (
    <>
      <Alert
        role="status"
        type={counts.failed > 0 ? "warning" : "success"}
        title={t("kernel:import.done", counts)}
        description={counts.created > 0 ? t("user.importPassword") : undefined}
      />
      {reasons.length > 0 ? (
        <Table<Reason>
          rowKey={(reason) => `${reason.row}-${reason.field}-${reason.message}`}
          aria-label={t("kernel:import.errors")}
          size="small"
          dataSource={reasons}
          pagination={reasons.length > 20 ? { pageSize: 20, showSizeChanger: false } : false}
          columns={[
            { title: t("kernel:import.row"), dataIndex: "row", width: 80 },
            { title: t("kernel:import.field"), dataIndex: "field", width: 140 },
            { title: t("kernel:import.reason"), dataIndex: "message" },
          ]}
        />
      ) : null}
    </>
  );
}
