import { Drawer } from "antd";
import { lazy, Suspense } from "react";
import { useTranslation } from "@/kernel/i18n";

const SettingsForm = lazy(async () => ({ default: (await import("./SettingsForm")).SettingsForm }));

interface Props {
  open: boolean;
  onClose: () => void;
}

/** How the layout looks to this user in this browser. */
export function SettingsDrawer({ open, onClose }: Props) {
  const { t } = useTranslation("layout");
  return (
    <Drawer title={t("settings.title")} size={320} open={open} onClose={onClose} destroyOnHidden>
      <Suspense fallback={null}>
        <SettingsForm />
      </Suspense>
    </Drawer>
  );
}
