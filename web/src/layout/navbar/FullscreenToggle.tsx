import { FullscreenExitOutlined, FullscreenOutlined } from "@ant-design/icons";
import { useSyncExternalStore } from "react";
import { useTranslation } from "@/kernel/i18n";
import { toast } from "@/kernel/ui";
import { NavButton } from "./NavButton";

function watch(changed: () => void): () => void {
  document.addEventListener("fullscreenchange", changed);
  return () => document.removeEventListener("fullscreenchange", changed);
}

export function FullscreenToggle() {
  const { t } = useTranslation("layout");
  const full = useSyncExternalStore(watch, () => Boolean(document.fullscreenElement));
  const toggle = async () => {
    if (!document.fullscreenEnabled) {
      toast.warning(t("fullscreen.unsupported"));
      return;
    }
    try {
      if (document.fullscreenElement) await document.exitFullscreen();
      else await document.documentElement.requestFullscreen();
    } catch {
      toast.warning(t("fullscreen.unsupported"));
    }
  };
  return (
    <NavButton
      label={t(full ? "fullscreen.leave" : "fullscreen.enter")}
      icon={full ? <FullscreenExitOutlined /> : <FullscreenOutlined />}
      onClick={toggle}
    />
  );
}
