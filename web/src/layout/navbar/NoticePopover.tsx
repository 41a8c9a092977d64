import { BellOutlined } from "@ant-design/icons";
import { Badge, Button, Popover, Spin } from "antd";
import { useEffect, useRef, useState } from "react";
import { useNavigate } from "react-router";
import { DictTag } from "@/kernel/dict";
import { useTranslation } from "@/kernel/i18n";
import { EmptyState, ErrorState, LinkedText, TimeText } from "@/kernel/ui";
import { NavButton } from "./NavButton";
import { type NotifyMessage, useUnreadCount, useUnreadList } from "./notices";

/** Unread messages: a dot while there are any, the list on a click. */
export function NoticePopover() {
  const { t } = useTranslation("layout");
  const [open, setOpen] = useState(false);
  const bell = useRef<HTMLSpanElement>(null);
  const close = () => {
    setOpen(false);
    bell.current?.querySelector("button")?.focus();
  };
  const count = useUnreadCount();
  const label = count > 0 ? t("notice.unread", { n: count }) : t("notice.label");
  return (
    <Popover
      trigger="click"
      placement="bottom"
      open={open}
      onOpenChange={setOpen}
      styles={{ container: { padding: 0 } }}
      content={<NoticeList open={open} onClose={close} />}
    >
      <span ref={bell}>
        <NavButton
          label={label}
          quiet={open}
          aria-expanded={open}
          icon={
            <Badge dot={count > 0}>
              <BellOutlined style={{ color: "var(--viva-text)" }} />
            </Badge>
          }
        />
      </span>
    </Popover>
  );
}

interface ListProps {
  open: boolean;
  onClose: () => void;
}

function NoticeList({ open, onClose }: ListProps) {
  const { t } = useTranslation("layout");
  const navigate = useNavigate();
  const place = useRef<HTMLElement>(null);
  useEffect(() => {
    if (open) place.current?.focus({ preventScroll: true });
  }, [open]);
  const showAll = () => {
    onClose();
    void navigate("/user/notify-message");
  };
  return (
    <section
      ref={place}
      className="notices"
      role="dialog"
      tabIndex={-1}
      aria-label={t("notice.label")}
      onKeyDown={(event) => event.key === "Escape" && onClose()}
    >
      <div className="notices-head">
        <h2>{t("notice.title")}</h2>
      </div>
      <NoticeBody open={open} onFollow={onClose} />
      <div className="notices-foot">
        <Button block onClick={showAll}>
          {t("notice.all")}
        </Button>
      </div>
    </section>
  );
}

function NoticeBody({ open, onFollow }: { open: boolean; onFollow: () => void }) {
  const { t } = useTranslation("layout");
  const { data, error, isFetching, refetch } = useUnreadList(open);
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) {
    return (
      <div className="shell-wait">
        <output aria-label={t("notice.loading")}>
          <Spin spinning={isFetching} delay={200} />
        </output>
      </div>
    );
  }
  if (data.length === 0) return <EmptyState title={t("notice.none")} />;
  return (
    <ul className="notices-list">
      {data.map((message) => (
        <Notice key={message.id} message={message} onFollow={onFollow} />
      ))}
    </ul>
  );
}

function Notice({ message, onFollow }: { message: NotifyMessage; onFollow: () => void }) {
  return (
    <li>
      <div className="notice-meta">
        <strong>{message.templateNickname}</strong>
        <DictTag type="system_notify_template_type" value={message.templateType} />
        <TimeText value={message.createTime} relative />
      </div>
      <p className="notice-text">
        <LinkedText text={message.templateContent} onFollow={onFollow} />
      </p>
    </li>
  );
}
