import { MoreOutlined } from "@ant-design/icons";
import { Button, Dropdown, type MenuProps } from "antd";
import { useState } from "react";
import { useTranslation } from "@/kernel/i18n";
import { type Dialect, dialectNames, dialects } from "../dialect";
import { setStandardDialect, standardDialect } from "../dialectSetting";
import type { Sheet } from "../useDrawing";

interface Props {
  sheet: Sheet | null;
  disabled: boolean;
  /** Left out for drawings that were never deployed. */
  onCompare?: () => void;
  onHelp: () => void;
  onDialect: (dialect: Dialect) => void;
}

/** What is used now and then. */
export function MoreMenu({ sheet, disabled, onCompare, onHelp, onDialect }: Props) {
  const { t } = useTranslation("designer");
  const [standard, setStandard] = useState(standardDialect);
  const modeler = sheet?.modeler;
  const items: MenuProps["items"] = [
    { key: "find", label: t("more.find"), disabled: disabled || !sheet },
    { key: "minimap", label: t("more.minimap"), disabled: disabled || !sheet },
    { key: "grid", label: t("more.grid"), disabled: disabled || !sheet },
    { type: "divider" },
    ...(onCompare ? [{ key: "compare", label: t("more.compare"), disabled: disabled || !sheet }] : []),
    { key: "help", label: t("more.keys") },
    {
      key: "dialect",
      label: t("more.dialect"),
      children: dialects.map((dialect) => ({
        key: dialect,
        label: dialectNames[dialect],
        extra: dialect === standard ? t("more.chosen") : undefined,
      })),
    },
  ];
  const choose = (dialect: Dialect) => {
    setStandardDialect(dialect);
    setStandard(dialect);
    onDialect(dialect);
  };
  const acts: Record<string, () => void> = {
    find: () => modeler?.get("searchPad").toggle(),
    minimap: () => modeler?.get("minimap").toggle(),
    grid: () => modeler?.get("gridSnapping").toggle(),
    compare: () => onCompare?.(),
    help: onHelp,
  };
  return (
    <Dropdown
      trigger={["click"]}
      menu={{ items, onClick: ({ key }) => (acts[key] ? acts[key]() : choose(key as Dialect)) }}
    >
      <Button type="text" title={t("tool.more")} aria-label={t("tool.more")} icon={<MoreOutlined />} />
    </Dropdown>
  );
}
