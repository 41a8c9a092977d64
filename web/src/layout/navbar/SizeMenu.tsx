import { FontSizeOutlined } from "@ant-design/icons";
import { Dropdown } from "antd";
import { useTranslation } from "@/kernel/i18n";
import { type Size, useSettings } from "@/kernel/theme";
import { toast } from "@/kernel/ui";
import { NavButton } from "./NavButton";

export const sizes: readonly { key: Size; label: string }[] = [
  { key: "default", label: "Default" },
  { key: "medium", label: "Medium" },
  { key: "small", label: "Small" },
  { key: "mini", label: "Mini" },
];

/** Applies a size to the whole application and says so. */
export function useSizeSwitch(): [Size, (size: Size) => void] {
  const { t } = useTranslation("layout");
  const size = useSettings((state) => state.size);
  const setSize = useSettings((state) => state.setSize);
  const change = (next: Size) => {
    setSize(next);
    toast.success(t("size.done"));
  };
  return [size, change];
}

export function SizeMenu() {
  const { t } = useTranslation("layout");
  const [size, change] = useSizeSwitch();
  return (
    <Dropdown
      autoFocus
      trigger={["click"]}
      menu={{
        items: sizes.map((entry) => ({ key: entry.key, label: entry.label, disabled: entry.key === size })),
        selectable: true,
        selectedKeys: [size],
        onClick: ({ key }) => change(key as Size),
      }}
    >
      <NavButton label={t("size.label")} icon={<FontSizeOutlined />} />
    </Dropdown>
  );
}
