import { Alert, Table } from "antd";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { type Entity, fieldOf, labelOf } from "./entity";

/** One refused row of an import; the header of the sheet is row 1. */
export interface ImportFailure {
  row: number;
  msg: string;
  fields?: { name: string; message: string }[] | null;
}

/** What an import did, or would do. */
export interface ImportReport {
  created: number;
  updated: number;
  failures: ImportFailure[] | null;
}

interface Props {
  report: ImportReport;
  /** Names the refused columns. */
  entity?: Entity;
  title: string;
  /** What else there is to know, e.g. the first password of new accounts. */
  note?: ReactNode;
}

interface Reason {
  row: number;
  field: string;
  message: string;
}

/** The counts of an import and every refused row with its reasons. */
export function ImportOutcome({ report, entity, title, note }: Props) {
  const { t } = useTranslation("kernel");
  const failures = report.failures ?? [];
  const lines = failures.flatMap((failure) => reasons(failure, entity));
  const named = lines.some((line) => line.field !== "");
  return (
    <>
      <Alert
        role="status"
        type={failures.length > 0 ? "warning" : "success"}
        title={title}
        description={note}
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
            ...(named ? [{ title: t("import.field"), dataIndex: "field", width: 140 }] : []),
            { title: t("import.reason"), dataIndex: "message" },
          ]}
        />
      ) : null}
    </>
  );
}

/** A refused row as one line for each refused column, or one for the row. */
function reasons({ row, msg, fields }: ImportFailure, entity?: Entity): Reason[] {
  if (!fields?.length) return [{ row, field: "", message: msg }];
  return fields.map(({ name, message }) => {
    const field = entity && fieldOf(entity, name);
    return { row, field: field ? labelOf(field) : name, message };
  });
}
