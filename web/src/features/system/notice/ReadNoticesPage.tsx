import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Button, Input, Skeleton } from "antd";
import { useSearchParams } from "react-router";
import { get, type PageOf } from "@/kernel/api/client";
import { useDelayed } from "@/kernel/crud";
import { DictTag } from "@/kernel/dict";
import { useTranslation } from "@/kernel/i18n";
import { EmptyState, ErrorState, PageHeader, Pagination, pageSizeOf, TimeText } from "@/kernel/ui";
import { NoticeDrawer } from "./NoticeDrawer";
import type { NoticeBrief } from "./types";
import "./notice.css";

/** The notices in force, as cards; a click opens one for reading. */
export default function ReadNoticesPage() {
  const { t } = useTranslation("system");
  const [search, setSearch] = useSearchParams();
  const title = search.get("title") ?? "";
  const pageNo = Math.max(1, Number(search.get("pageNo")) || 1);
  const pageSize = pageSizeOf(search.get("pageSize"));
  const opened = Number(search.get("id")) || null;
  const query = { pageNo, pageSize, title: title || undefined };
  const result = useQuery({
    queryKey: ["/system/notice", "read", query],
    queryFn: ({ signal }) =>
      get<PageOf<NoticeBrief>>("/system/notice/my-page", query, { silent: true, signal }),
    placeholderData: keepPreviousData,
    retry: false,
  });
  const go = (next: Record<string, string>) => setSearch(next, { replace: true });
  const open = (id: number | null) =>
    setSearch((now) => {
      if (id) now.set("id", String(id));
      else now.delete("id");
      return now;
    });
  return (
    <>
      <PageHeader
        title={t("notice.readTitle")}
        extra={result.data ? t("kernel:list.count", { total: result.data.total.toLocaleString() }) : null}
        actions={
          <Input.Search
            allowClear
            defaultValue={title}
            aria-label={t("notice.find")}
            placeholder={t("notice.find")}
            onSearch={(text) => go(text ? { title: text } : {})}
            style={{ width: 240 }}
          />
        }
      />
      <Cards result={result} filtered={title !== ""} onClear={() => go({})} onOpen={open} />
      {result.data && result.data.total > 0 ? (
        <Pagination
          pageNo={pageNo}
          pageSize={pageSize}
          total={result.data.total}
          onChange={(no, size) =>
            go({ ...(title ? { title } : {}), pageNo: String(no), pageSize: String(size) })
          }
        />
      ) : null}
      <NoticeDrawer id={opened} onClose={() => open(null)} />
    </>
  );
}

interface CardsProps {
  result: { data?: PageOf<NoticeBrief>; error: unknown; isPending: boolean; refetch: () => unknown };
  filtered: boolean;
  onClear: () => void;
  onOpen: (id: number) => void;
}

function Cards({ result, filtered, onClear, onOpen }: CardsProps) {
  const { t } = useTranslation("system");
  const skeleton = useDelayed(result.isPending);
  if (result.error && !result.data) {
    return <ErrorState error={result.error} onRetry={() => void result.refetch()} />;
  }
  if (!result.data) {
    return (
      <div role="status" aria-label={t("kernel:list.loadingRows")} style={{ minHeight: 320 }}>
        {skeleton ? <Skeleton active paragraph={{ rows: 6 }} /> : null}
      </div>
    );
  }
  if (result.data.list.length === 0) {
    return (
      <EmptyState
        title={t(filtered ? "notice.noneFound" : "notice.none")}
        hint={t("notice.noneHint")}
        action={filtered ? <Button onClick={onClear}>{t("kernel:list.clearFilters")}</Button> : null}
      />
    );
  }
  return (
    <ul className="notice-cards" aria-label={t("notice.readTitle")}>
      {result.data.list.map((notice) => (
        <li key={notice.id}>
          <button type="button" className="notice-card" onClick={() => onOpen(notice.id)}>
            <span className="notice-card-meta">
              <DictTag type="system_notice_type" value={notice.type} />
              <TimeText value={notice.createTime} relative />
            </span>
            <span className="notice-card-title">{notice.title}</span>
            <span className="notice-card-text">{notice.excerpt}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
