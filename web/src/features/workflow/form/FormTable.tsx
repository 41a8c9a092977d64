import { ArrowDownOutlined, ArrowUpOutlined, DeleteOutlined, PlusOutlined } from "@ant-design/icons";
import { Button, Flex, Form, type FormListFieldData } from "antd";
import { useTranslation } from "@/kernel/i18n";
import { FieldControl } from "./controls";
import { fieldOf } from "./field";
import type { Item } from "./model";
import { refusalOf } from "./validate";
import { initialRow } from "./values";

interface Props {
  item: Item;
  /** Rows one below the other, for a narrow screen. */
  narrow: boolean;
}

/** A table of rows that are added, removed and moved. */
export function FormTable({ item, narrow }: Props) {
  const { t } = useTranslation("workflow");
  const field = fieldOf(item);
  const rule = {
    validator: async (_: unknown, rows: unknown) => {
      const refused = refusalOf(field, rows);
      if (refused) throw new Error(refused);
    },
  };
  return (
    <Form.List name={[field.name]} rules={[rule]}>
      {(rows, { add, remove, move }, { errors }) => {
        const acts = (row: FormListFieldData) => (
          <RowActs index={row.name} total={rows.length} label={field.label} onMove={move} onRemove={remove} />
        );
        return (
          <Flex vertical gap={8} align="start">
            {rows.length === 0 ? null : narrow ? (
              <RowCards item={item} rows={rows} acts={acts} />
            ) : (
              <RowTable item={item} rows={rows} acts={acts} />
            )}
            <Button
              icon={<PlusOutlined aria-hidden />}
              disabled={field.max !== undefined && rows.length >= field.max}
              aria-label={t("fill.addRowTo", { label: field.label })}
              onClick={() => add(initialRow(item))}
            >
              {t("fill.addRow")}
            </Button>
            <Form.ErrorList errors={errors} />
          </Flex>
        );
      }}
    </Form.List>
  );
}

interface RowsProps {
  item: Item;
  rows: FormListFieldData[];
  acts: (row: FormListFieldData) => React.ReactNode;
}

function RowTable({ item, rows, acts }: RowsProps) {
  const { t } = useTranslation("workflow");
  return (
    <div className="form-scroll">
      <table className="form-table is-input" aria-label={fieldOf(item).label}>
        <thead>
          <tr>
            <th scope="col">{t("fill.row")}</th>
            {item.children.map((column) => (
              <th key={column.key} scope="col">
                {fieldOf(column).label}
                {fieldOf(column).required ? <span aria-hidden="true"> *</span> : null}
              </th>
            ))}
            <th scope="col">{t("kernel:list.actions")}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.key}>
              <td>{row.name + 1}</td>
              {item.children.map((column) => (
                <td key={column.key}>
                  <Cell column={column} row={row} />
                </td>
              ))}
              <td>{acts(row)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function RowCards({ item, rows, acts }: RowsProps) {
  const { t } = useTranslation("workflow");
  return rows.map((row) => (
    <section key={row.key} className="form-row" aria-label={t("fill.rowOf", { n: row.name + 1 })}>
      <Flex justify="space-between" align="center">
        <strong>{t("fill.rowOf", { n: row.name + 1 })}</strong>
        {acts(row)}
      </Flex>
      {item.children.map((column) => (
        <div key={column.key}>
          <div className="form-label" aria-hidden="true">
            {fieldOf(column).label}
            {fieldOf(column).required ? " *" : null}
          </div>
          <Cell column={column} row={row} />
        </div>
      ))}
    </section>
  ));
}

function Cell({ column, row }: { column: Item; row: FormListFieldData }) {
  const { t } = useTranslation("workflow");
  const field = fieldOf(column);
  return (
    <Form.Item
      name={[row.name, field.name]}
      rules={[
        {
          validator: async (_, value) => {
            const refused = refusalOf(field, value);
            if (refused) throw new Error(refused);
          },
        },
      ]}
    >
      <FieldControl field={field} aria-label={t("fill.cell", { label: field.label, n: row.name + 1 })} />
    </Form.Item>
  );
}

interface ActsProps {
  index: number;
  total: number;
  label: string;
  onMove: (from: number, to: number) => void;
  onRemove: (index: number) => void;
}

function RowActs({ index, total, label, onMove, onRemove }: ActsProps) {
  const { t } = useTranslation("workflow");
  const common = { type: "text", size: "small" } as const;
  const named = { label, n: index + 1 };
  return (
    <Flex gap={4} wrap={false}>
      <Button
        {...common}
        icon={<ArrowUpOutlined />}
        disabled={index === 0}
        aria-label={t("fill.rowUp", named)}
        onClick={() => onMove(index, index - 1)}
      />
      <Button
        {...common}
        icon={<ArrowDownOutlined />}
        disabled={index === total - 1}
        aria-label={t("fill.rowDown", named)}
        onClick={() => onMove(index, index + 1)}
      />
      <Button
        {...common}
        danger
        icon={<DeleteOutlined />}
        aria-label={t("fill.rowRemove", named)}
        onClick={() => onRemove(index)}
      />
    </Flex>
  );
}
