import { Button, Checkbox, Flex, Segmented, Skeleton } from "antd";
import { useState } from "react";
import { BatchBar, useDelayed } from "@/kernel/crud";
import { DictTag } from "@/kernel/dict";
import { useTranslation } from "@/kernel/i18n";
import {
  DebouncedButton,
  EmptyState,
  ErrorState,
  LinkedText,
  PageHeader,
  Pagination,
  TimeText,
  toast,
} from "@/kernel/ui";
import { MessageDrawer } from "./MessageDrawer";
import type { NotifyMessage } from "./types";
import { type ReadFilter, useInbox } from "./useInbox";
import "@/kernel/crud/crud.css";
import "./notify.css";

const filters: ReadFilter[] = ["all", "unread", "read"];

/** My internal messages, newest first; opening one marks it as read. */
export default function MyMessagesPage() {
  const { t } = useTranslation("system");
  const inbox = useInbox();
  const [selected, setSelected] = useState<number[]>([]);
  const [opened, setOpened] = useState<NotifyMessage | null>(null);
  const list = inbox.result.data?.list ?? [];
  const chosen = selected.filter((id) => list.some((message) => message.id === id && !message.readStatus));
  const act = async (work: Promise<void>, done?: string) => {
    try {
      await work;
      setSelected([]);
      if (done) toast.success(done);
    } catch {
      // The client has shown why.
    }
  };
  const open = (message: NotifyMessage) => {
    setOpened(message);
    if (!message.readStatus) void act(inbox.read([message.id]));
  };
  return (
    <>
      <PageHeader
        title={t("inbox.title")}
        extra={
          inbox.result.data
            ? t("kernel:list.count", { total: inbox.result.data.total.toLocaleString() })
            : null
        }
        actions={
          <DebouncedButton onClick={() => void act(inbox.readAll(), t("inbox.allRead"))}>
            {t("inbox.readAll")}
          </DebouncedButton>
        }
      />
      <Segmented<ReadFilter>
        aria-label={t("inbox.filter")}
        value={inbox.filter}
        options={filters.map((filter) => ({ value: filter, label: t(`inbox.show.${filter}`) }))}
        onChange={(filter) => inbox.go({ filter })}
        style={{ marginBottom: 16 }}
      />
      <BatchBar count={chosen.length} onClear={() => setSelected([])}>
        <Button onClick={() => void act(inbox.read(chosen), t("inbox.someRead", { total: chosen.length }))}>
          {t("inbox.readSelected")}
        </Button>
      </BatchBar>
      <Body inbox={inbox} selected={chosen} onSelect={setSelected} onOpen={open} />
      <MessageDrawer message={opened} list={list} onMove={open} onClose={() => setOpened(null)} />
    </>
  );
}

interface BodyProps {
  inbox: ReturnType<typeof useInbox>;
  selected: number[];
  onSelect: (ids: number[]) => void;
  onOpen: (message: NotifyMessage) => void;
}

function Body({ inbox, selected, onSelect, onOpen }: BodyProps) {
  const { t } = useTranslation("system");
  const { data, error, isPending, refetch } = inbox.result;
  const skeleton = useDelayed(isPending);
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) {
    return (
      <div role="status" aria-label={t("kernel:list.loadingRows")} style={{ minHeight: 320 }}>
        {skeleton ? <Skeleton active paragraph={{ rows: 6 }} /> : null}
      </div>
    );
  }
  if (data.list.length === 0) {
    return (
      <EmptyState
        title={t(`inbox.empty.${inbox.filter}`)}
        hint={t("inbox.emptyHint")}
        action={
          inbox.filter === "all" ? null : (
            <Button onClick={() => inbox.go({ filter: "all" })}>{t("inbox.showAll")}</Button>
          )
        }
      />
    );
  }
  const unread = data.list.filter((message) => !message.readStatus).map((message) => message.id);
  return (
    <>
      {unread.length > 0 ? (
        <Checkbox
          checked={selected.length === unread.length}
          indeterminate={selected.length > 0 && selected.length < unread.length}
          onChange={(event) => onSelect(event.target.checked ? unread : [])}
          style={{ marginBlockEnd: 8, paddingInline: 16 }}
        >
          {t("inbox.selectUnread")}
        </Checkbox>
      ) : null}
      <ul className="inbox" aria-label={t("inbox.title")}>
        {data.list.map((message) => (
          <Message
            key={message.id}
            message={message}
            selected={selected.includes(message.id)}
            onSelect={(on) =>
              onSelect(on ? [...selected, message.id] : selected.filter((id) => id !== message.id))
            }
            onOpen={() => onOpen(message)}
          />
        ))}
      </ul>
      <Pagination
        pageNo={inbox.pageNo}
        pageSize={inbox.pageSize}
        total={data.total}
        capped={data.totalCapped}
        onChange={(pageNo, pageSize) => inbox.go({ pageNo, pageSize })}
      />
    </>
  );
}

interface MessageProps {
  message: NotifyMessage;
  selected: boolean;
  onSelect: (on: boolean) => void;
  onOpen: () => void;
}

function Message({ message, selected, onSelect, onOpen }: MessageProps) {
  const { t } = useTranslation("system");
  const unread = !message.readStatus;
  return (
    <li className={unread ? "inbox-unread" : undefined}>
      <Checkbox
        aria-label={t("kernel:list.selectRow", { name: message.templateContent })}
        disabled={!unread}
        checked={selected}
        onChange={(event) => onSelect(event.target.checked)}
      />
      <button type="button" className="inbox-open" onClick={onOpen}>
        <Flex component="span" className="inbox-meta">
          {unread ? <span className="inbox-dot" role="img" aria-label={t("message.unread")} /> : null}
          <strong>{message.templateNickname}</strong>
          <DictTag type="system_notify_template_type" value={message.templateType} />
          <TimeText value={message.createTime} relative />
        </Flex>
        <span className="inbox-text">
          <LinkedText text={message.templateContent} plain />
        </span>
      </button>
    </li>
  );
}
