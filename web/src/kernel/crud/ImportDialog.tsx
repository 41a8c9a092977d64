import { DownloadOutlined } from "@ant-design/icons";
import { useQueryClient } from "@tanstack/react-query";
import { Alert, Button, Checkbox, Flex, Modal, Table } from "antd";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { download, post } from "@/kernel/api/client";
import { errorText } from "@/kernel/api/errors";
import { type Entity, fieldOf, labelOf } from "./entity";

/** One refused row of an import; the header of the sheet is row 1. */
export interface ImportFailure {
  row: number;
  msg: string;
  fields: { name: string; message: string }[] | null;
}

/** What POST {path}/import answers. */
export interface ImportReport {
  created: number;
  updated: number;
  failures: ImportFailure[] | null;
}

interface Props {
  entity: Entity;
  title: string;
  open: boolean;
  onClose: () => void;
}

/** Imports an Excel file and lists every row that was not taken with its reason. */
export function ImportDialog({ entity, title, open, onClose }: Props) {
  const { t } = useTranslation("kernel");
  const client = useQueryClient();
  const input = useRef<HTMLInputElement>(null);
  const [file, setFile] = useState<File | null>(null);
  const [update, setUpdate] = useState(false);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState("");
  const [report, setReport] = useState<ImportReport | null>(null);

  const close = () => {
    setFile(null);
    setReport(null);
    setProblem("");
    onClose();
  };
  const start = async () => {
    if (!file) return setProblem(t("import.chooseFirst"));
    setBusy(true);
    setProblem("");
    const body = new FormData();
    body.append("file", file);
    try {
      setReport(
        await post<ImportReport>(`${entity.path}/import`, body, {
          silent: true,
          timeout: 300_000,
          query: { updateSupport: update },
        }),
      );
      await client.invalidateQueries({ queryKey: [entity.path] });
    } catch (error) {
      setProblem(errorText(error));
    } finally {
      setBusy(false);
    }
  };
  const template = async () => {
    const name = `${t("import.title", { title })}.xlsx`;
    await download(`${entity.path}/get-import-template`, undefined, name).catch((error: unknown) =>
      setProblem(t("import.template_missing", { reason: errorText(error) })),
    );
  };

  return (
    <Modal
      open={open}
      title={t("import.title", { title })}
      mask={{ closable: false }}
      destroyOnHidden
      onCancel={close}
      okText={report ? t("action.close") : t("import.start")}
      cancelText={t("action.cancel")}
      confirmLoading={busy}
      onOk={report ? close : () => void start()}
      width={600}
    >
      <Flex vertical gap={12}>
        {problem ? <Alert type="error" role="alert" title={problem} /> : null}
        {report ? (
          <Report entity={entity} report={report} />
        ) : (
          <>
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
                  setFile(event.target.files?.[0] ?? null);
                  setProblem("");
                }}
              />
            </Flex>
            <div>{t("import.help")}</div>
            <Checkbox checked={update} onChange={(event) => setUpdate(event.target.checked)}>
              {t("import.update")}
            </Checkbox>
            <Button
              type="link"
              icon={<DownloadOutlined />}
              style={{ alignSelf: "start" }}
              onClick={() => void template()}
            >
              {t("import.template")}
            </Button>
          </>
        )}
      </Flex>
    </Modal>
  );
}

interface Reason {
  row: number;
  field: string;
  message: string;
}

function Report({ entity, report }: { entity: Entity; report: ImportReport }) {
  const { t } = useTranslation("kernel");
  const { created, updated } = report;
  const lines = (report.failures ?? []).flatMap((failure) => reasons(entity, failure));
  const failed = report.failures?.length ?? 0;
  return (
    <>
      <Alert
        role="status"
        type={failed > 0 ? "warning" : "success"}
        title={t("import.done", { created, updated, failed })}
      />
      {lines.length > 0 ? (
        <Table<Reason>
          rowKey={(line) => `${line.row}-${line.field}-${line.message}`}
          aria-label={t("import.errors")}
          size="small"
          dataSource={lines}
          pagination={lines.length > 20 ? { pageSize: 20, showSizeChanger: false } : false}
          columns={[
            { title: t("import.row"), dataIndex: "row", width: 80 },
            { title: t("import.field"), dataIndex: "field", width: 140 },
            { title: t("import.reason"), dataIndex: "message" },
          ]}
        />
      ) : null}
    </>
  );
}

/** A refused row as one line for each refused column, or one for the row. */
function reasons(entity: Entity, { row, msg, fields }: ImportFailure): Reason[] {
  if (!fields?.length) return [{ row, field: "", message: msg }];
  return fields.map(({ name, message }) => {
    const field = fieldOf(entity, name);
    return { row, field: field ? labelOf(field) : name, message };
  });
}
