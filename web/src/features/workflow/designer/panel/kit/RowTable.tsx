import { DeleteOutlined, EditOutlined, PlusOutlined } from "@ant-design/icons";
import { Button, Flex, Table } from "antd";
import type { ReactNode } from "react";
import { useTranslation } from "@/kernel/i18n";
import { confirmBox } from "@/kernel/ui";

interface Column<R> {
  title: string;
  cell: (row: R) => ReactNode;
}

interface Props<R> {
  /** What the rows are, for screen readers. */
  label: string;
  rows: readonly R[];
  columns: Column<R>[];
  /** What a row is called in the names of its buttons. */
  nameOf: (row: R) => string;
  onAdd?: () => void;
  addText: string;
  onEdit?: (row: R, at: number) => void;
  onRemove: (row: R, at: number) => void;
  /** Asked before a row is removed. */
  ask: string;
  /** Why a row has to stay, "" when it may go. */
  keeps?: (row: R) => string;
}

/** The widest a table may grow downwards before it scrolls. */
const MAX_HEIGHT = 240;

/** Rows with add, edit and remove. */
export function RowTable<R extends object>(props: Props<R>) {
  const { label, rows, columns, nameOf, onAdd, addText, onEdit, onRemove, ask, keeps } = props;
  const { t } = useTranslation("panel");
  const remove = async (row: R, at: number) => {
    if (await confirmBox({ content: ask, danger: true })) onRemove(row, at);
  };
  const acts = (row: R, at: number) => {
    const name = nameOf(row) || String(at + 1);
    const why = keeps?.(row) ?? "";
    return (
      <Flex gap={4} justify="end">
        {onEdit ? (
          <Button
            size="small"
            type="text"
            icon={<EditOutlined aria-hidden />}
            aria-label={t("table.edit", { name })}
            title={t("table.edit", { name })}
            onClick={() => onEdit(row, at)}
          />
        ) : null}
        <Button
          size="small"
          type="text"
          danger
          icon={<DeleteOutlined aria-hidden />}
          aria-label={why ? `${t("table.remove", { name })}（${why}）` : t("table.remove", { name })}
          title={why || t("table.remove", { name })}
          aria-disabled={why !== ""}
          onClick={() => (why ? undefined : void remove(row, at))}
        />
      </Flex>
    );
  };
  return (
    <section aria-label={label} className="panel-table">
      {rows.length > 0 ? (
        <Table<R>
          size="small"
          rowKey={(row) => rows.indexOf(row)}
          pagination={false}
          dataSource={[...rows]}
          scroll={{ y: MAX_HEIGHT }}
          columns={[
            ...columns.map(({ title, cell }, at) => ({
              key: at,
              title,
              ellipsis: true,
              render: (_: unknown, row: R) => cell(row),
            })),
            {
              key: "acts",
              title: t("table.acts"),
              width: 84,
              align: "right" as const,
              render: (_: unknown, row: R, at: number) => acts(row, at),
            },
          ]}
        />
      ) : null}
      {onAdd ? (
        <Button type="dashed" block size="small" icon={<PlusOutlined aria-hidden />} onClick={onAdd}>
          {addText}
        </Button>
      ) : null}
    </section>
  );
}
