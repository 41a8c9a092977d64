import { MoreOutlined } from "@ant-design/icons";
import { Button, Dropdown, Flex } from "antd";
import { useTranslation } from "react-i18next";
import { i18n } from "@/kernel/i18n";
import { LockedButton } from "@/kernel/ui/LockedButton";
import type { BaseRow } from "./entity";
import type { CrudPageHandle, RowAction } from "./options";

const DIRECT = 2;

interface Props<Row extends BaseRow> {
  row: Row;
  name: string;
  actions: RowAction<Row>[];
  page: CrudPageHandle<Row>;
}

/** The acts of one row: two as buttons, the rest in a menu; a locked one says why. */
export function RowActions<Row extends BaseRow>({ row, name, actions, page }: Props<Row>) {
  const { t } = useTranslation("kernel");
  const usable = actions.filter(
    (action) =>
      !action.hidden?.(row) && (!action.permission || page.access.hasPermission([action.permission])),
  );
  const direct = usable.length <= DIRECT + 1 ? usable : usable.slice(0, DIRECT);
  const rest = usable.slice(direct.length);
  const run = (action: RowAction<Row>) => void action.run(row, page);
  return (
    <Flex gap={4} style={{ marginInline: -7 }}>
      {direct.map((action) => {
        const label = i18n.t(action.label);
        return (
          <LockedButton
            key={action.key}
            compact
            reason={action.locked?.(row) ?? ""}
            type="link"
            size="small"
            danger={action.danger}
            aria-label={`${label} ${name}`}
            onClick={() => run(action)}
          >
            {label}
          </LockedButton>
        );
      })}
      {rest.length > 0 ? (
        <Dropdown
          trigger={["click"]}
          menu={{
            items: rest.map((action) => {
              const reason = action.locked?.(row) ?? "";
              const label = i18n.t(action.label);
              return {
                key: action.key,
                danger: action.danger,
                disabled: reason !== "",
                label: reason ? `${label}（${reason}）` : label,
                onClick: () => run(action),
              };
            }),
          }}
        >
          <Button
            type="link"
            size="small"
            icon={<MoreOutlined />}
            aria-label={`${t("action.more")} ${name}`}
          />
        </Dropdown>
      ) : null}
    </Flex>
  );
}
