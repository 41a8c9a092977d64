import { Col, Form, Row as GridRow } from "antd";
import { i18n } from "@/kernel/i18n";
import type { BaseRow } from "./entity";
import { type ControlProps, FieldInput } from "./FieldInput";
import type { FieldColumn } from "./options";
import { columnLabel } from "./tableColumns";
import { rulesOf } from "./values";

interface Props<Row extends BaseRow> {
  columns: FieldColumn<Row>[];
  row: Row | null;
}

/** The items of a form: label above, help under the label, the widget of the field's kind. */
export function FormFields<Row extends BaseRow>({ columns, row }: Props<Row>) {
  return (
    <GridRow gutter={16}>
      {columns.map((column) => (
        <Col key={column.name} span={24} md={column.half ? 12 : 24}>
          <Form.Item
            name={column.name as string}
            label={columnLabel(column)}
            rules={rulesOf(column.field)}
            extra={column.help ? i18n.t(column.help) : undefined}
          >
            <Control column={column} row={row} />
          </Form.Item>
        </Col>
      ))}
    </GridRow>
  );
}

interface ControlInput<Row extends BaseRow> extends ControlProps {
  column: FieldColumn<Row>;
  row: Row | null;
}

function Control<Row extends BaseRow>({ column, row, ...control }: ControlInput<Row>) {
  if (column.input) return column.input({ ...control, field: column.field, row });
  return <FieldInput field={column.field} {...control} />;
}
