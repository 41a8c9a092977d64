import { useQuery } from "@tanstack/react-query";
import { Drawer, Skeleton } from "antd";
import { get } from "@/kernel/api/client";
import { DictTag } from "@/kernel/dict";
import { SafeHtml } from "@/kernel/html";
import { useTranslation } from "@/kernel/i18n";
import { EmptyState, ErrorState, TimeText, useMobile } from "@/kernel/ui";
import type { Notice } from "./types";

interface Props {
  /** The notice to read; null keeps the drawer shut. */
  id: number | null;
  onClose: () => void;
}

/** A notice for reading, whatever permissions the reader has. */
export function NoticeDrawer({ id, onClose }: Props) {
  const { t } = useTranslation("system");
  const mobile = useMobile();
  const { data, error, refetch } = useQuery({
    queryKey: ["/system/notice", "my-get", id],
    queryFn: ({ signal }) => get<Notice>("/system/notice/my-get", { id }, { silent: true, signal }),
    enabled: id !== null,
    retry: false,
  });
  return (
    <Drawer
      open={id !== null}
      onClose={onClose}
      destroyOnHidden
      mask={{ closable: false }}
      size={mobile ? "100%" : 720}
      title={data?.title ?? t("notice.readTitle")}
    >
      {error ? <ErrorState error={error} onRetry={() => void refetch()} /> : null}
      {!data && !error ? <Skeleton active /> : null}
      {data ? (
        <article className="notice-article">
          <p className="notice-card-meta">
            <DictTag type="system_notice_type" value={data.type} />
            <TimeText value={data.createTime} />
          </p>
          {data.content ? <SafeHtml html={data.content} /> : <EmptyState title={t("notice.empty")} />}
        </article>
      ) : null}
    </Drawer>
  );
}
