import { LeftOutlined, RightOutlined } from "@ant-design/icons";
import { Button, Drawer, Flex, Tooltip } from "antd";
import { DictTag } from "@/kernel/dict";
import { useTranslation } from "@/kernel/i18n";
import { LinkedText, TimeText, useMobile } from "@/kernel/ui";
import type { NotifyMessage } from "./types";

interface Props {
  message: NotifyMessage | null;
  list: NotifyMessage[];
  onMove: (message: NotifyMessage) => void;
  onClose: () => void;
}

/** One message in full; the arrows keep the order of the list. */
export function MessageDrawer({ message, list, onMove, onClose }: Props) {
  const { t } = useTranslation("system");
  const mobile = useMobile();
  const at = message ? list.findIndex((other) => other.id === message.id) : -1;
  const step = (offset: number, label: string, icon: React.ReactNode) => {
    const target = at < 0 ? undefined : list[at + offset];
    return (
      <Tooltip title={label}>
        <Button icon={icon} aria-label={label} disabled={!target} onClick={() => target && onMove(target)} />
      </Tooltip>
    );
  };
  return (
    <Drawer
      open={message !== null}
      onClose={onClose}
      mask={{ closable: false }}
      destroyOnHidden
      size={mobile ? "100%" : 560}
      title={message?.templateNickname ?? ""}
      extra={
        <Flex gap={8}>
          {step(-1, t("kernel:list.previous"), <LeftOutlined />)}
          {step(1, t("kernel:list.next"), <RightOutlined />)}
        </Flex>
      }
    >
      {message ? (
        <>
          <div className="inbox-meta">
            <DictTag type="system_notify_template_type" value={message.templateType} />
            <TimeText value={message.createTime} />
          </div>
          <p className="inbox-body">
            <LinkedText text={message.templateContent} onFollow={onClose} />
          </p>
        </>
      ) : null}
    </Drawer>
  );
}
