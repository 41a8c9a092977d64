import { DeleteOutlined, PlusOutlined } from "@ant-design/icons";
import { Button, Flex, Form, Input } from "antd";
import { cloneElement, type ReactElement } from "react";
import { useTranslation } from "@/kernel/i18n";
import { confirmBox } from "@/kernel/ui";

interface Cell {
  name: string;
  label: string;
  input: ReactElement<{ placeholder?: string; "aria-label"?: string }>;
  /** What is said when it is left empty; without it it may be. */
  needed?: string;
}

interface Props {
  name: string;
  title: string;
  addText: string;
  ask: string;
  cells: Cell[];
  /** What a new row begins with. */
  fresh?: object;
}

/** Rows inside a form, each with its inputs beside each other. */
export function FormRows({ name, title, addText, ask, cells, fresh }: Props) {
  const { t } = useTranslation("panel");
  return (
    <Form.List name={name}>
      {(rows, { add, remove }) => (
        <section aria-label={title} className="panel-rows">
          <h3 className="panel-sub">{title}</h3>
          {rows.map((row, at) => (
            <Flex key={row.key} gap={8} align="start">
              {/* Says which element of the file the row is. */}
              <Form.Item name={[row.name, "at"]} hidden>
                <Input />
              </Form.Item>
              {cells.map((cell) => (
                <Form.Item
                  key={cell.name}
                  name={[row.name, cell.name]}
                  rules={cell.needed ? [{ required: true, message: cell.needed }] : []}
                  style={{ flex: 1, minWidth: 0 }}
                >
                  {cloneElement(cell.input, {
                    placeholder: cell.label,
                    "aria-label": t("table.cell", { title, row: at + 1, label: cell.label }),
                  })}
                </Form.Item>
              ))}
              <Button
                type="text"
                danger
                icon={<DeleteOutlined aria-hidden />}
                aria-label={t("table.removeRow", { title, row: at + 1 })}
                onClick={async () => {
                  if (await confirmBox({ content: ask, danger: true })) remove(row.name);
                }}
              />
            </Flex>
          ))}
          <Button type="dashed" block icon={<PlusOutlined aria-hidden />} onClick={() => add({ ...fresh })}>
            {addText}
          </Button>
        </section>
      )}
    </Form.List>
  );
}
