import { Button, Flex, Popover, Skeleton } from "antd";
import { lazy, Suspense, useState } from "react";
import { useTranslation } from "@/kernel/i18n";
import { Icon } from "@/kernel/ui";

const IconGrid = lazy(() => import("./IconGrid"));

interface Props {
  id?: string;
  value?: unknown;
  onChange?: (name: string) => void;
}

/** Chooses an icon; the icons are fetched when the choice is opened. */
export function IconPicker({ id, value, onChange }: Props) {
  const { t } = useTranslation("identity");
  const [open, setOpen] = useState(false);
  const name = typeof value === "string" ? value : "";
  const choose = (next: string) => {
    onChange?.(next);
    setOpen(false);
  };
  return (
    <Flex gap={8}>
      <Popover
        trigger="click"
        placement="bottomLeft"
        open={open}
        onOpenChange={setOpen}
        content={
          <Suspense fallback={<Skeleton active style={{ width: 360 }} />}>
            {open ? <IconGrid chosen={name} onChoose={choose} /> : null}
          </Suspense>
        }
      >
        <Button id={id} aria-expanded={open} style={{ flex: 1, justifyContent: "start" }}>
          {name ? <Icon name={name} size={18} /> : null}
          {name || t("menu.noIcon")}
        </Button>
      </Popover>
      {name ? <Button onClick={() => choose("")}>{t("kernel:action.clear")}</Button> : null}
    </Flex>
  );
}
