import { Tooltip } from "antd";
import { useTranslation } from "@/kernel/i18n";
import { deviceOf } from "./types";

/** Browser and system of a session; the whole text of the browser on hover. */
export function DeviceText({ userAgent }: { userAgent: string }) {
  const { t } = useTranslation("identity");
  const { browser, system } = deviceOf(userAgent);
  const text = [browser, system].filter(Boolean).join(" · ") || t("session.unknownDevice");
  return (
    <Tooltip title={userAgent}>
      <span>{text}</span>
    </Tooltip>
  );
}
