import { Alert, Table } from "antd";
import { type Field, FieldText, labelOf } from "@/kernel/crud";
import { useTranslation } from "@/kernel/i18n";
import { type Change, changesOf } from "./diff";
import type { OperateLog } from "./entity";
import "./log.css";

/** What a log row changed: each field with its value before and after. */
export function Diff({ row }: { row: OperateLog }) {
  const { t } = useTranslation("system");
  const changes = changesOf(row.entity, row.before, row.after);
  if (changes.length === 0) return null;
  const has = (side: "before" | "after") => Object.keys(row[side] ?? {}).length > 0;
  const side = (name: "before" | "after", title: string) => ({
    key: name,
    title,
    className: name === "before" ? "log-before" : "log-after",
    render: (_: unknown, change: Change) => <Value field={change.field} value={change[name]} />,
  });
  return (
    <section aria-label={t("log.changes")}>
      <h3 className="log-title">{t("log.changes")}</h3>
      <Table<Change>
        rowKey="name"
        size="small"
        pagination={false}
        dataSource={changes}
        scroll={{ x: "max-content" }}
        columns={[
          {
            key: "field",
            title: t("log.field"),
            render: (_: unknown, change) => (change.field ? labelOf(change.field) : change.name),
          },
          ...(has("before") ? [side("before", t("log.before"))] : []),
          ...(has("after") ? [side("after", t("log.after"))] : []),
        ]}
      />
      {row.chainNo === null ? (
        <Alert type="info" title={t("log.unsealed")} style={{ marginTop: 12 }} />
      ) : null}
    </section>
  );
}

/** A value by the kind of its field; whatever does not fit is shown as it stands. */
function Value({ field, value }: { field: Field | undefined; value: unknown }) {
  const { t } = useTranslation("system");
  if (value === null || value === undefined || value === "") {
    return <span className="log-empty">{t("log.empty")}</span>;
  }
  if (typeof value === "boolean") return <>{t(value ? "kernel:action.yes" : "kernel:action.no")}</>;
  const numeric = typeof value === "number";
  if (field && (numeric || ["richtext", "names", "refs", "dict"].includes(field.kind))) {
    return <FieldText field={field} value={value} brief />;
  }
  return (
    <span className="log-value">{typeof value === "object" ? JSON.stringify(value) : String(value)}</span>
  );
}
