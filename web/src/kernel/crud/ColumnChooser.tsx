import { SettingOutlined } from "@ant-design/icons";
import { Button, Checkbox, Flex, Popover, Tooltip } from "antd";
import { useTranslation } from "react-i18next";
import type { ColumnMemory } from "./useColumns";

interface Props {
  columns: { name: string; label: string; byDefault: boolean }[];
  memory: ColumnMemory;
}

/** Chooses the columns of a table; at least one stays. */
export function ColumnChooser({ columns, memory }: Props) {
  const { t } = useTranslation("kernel");
  const shown = columns.filter((column) => memory.isShown(column.name, column.byDefault));
  const list = (
    <Flex vertical gap={4} style={{ maxHeight: 360, overflowY: "auto" }}>
      {columns.map((column) => {
        const checked = memory.isShown(column.name, column.byDefault);
        return (
          <Checkbox
            key={column.name}
            checked={checked}
            disabled={checked && shown.length === 1}
            onChange={(event) => memory.setShown(column.name, event.target.checked)}
          >
            {column.label}
          </Checkbox>
        );
      })}
      <Button type="link" size="small" onClick={memory.reset}>
        {t("list.columnsReset")}
      </Button>
    </Flex>
  );
  return (
    <Popover trigger="click" placement="bottomRight" title={t("list.columns")} content={list}>
      <Tooltip title={t("list.columns")}>
        <Button icon={<SettingOutlined />} aria-label={t("list.columns")} />
      </Tooltip>
    </Popover>
  );
}
