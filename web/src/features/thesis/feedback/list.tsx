import { Button, Drawer, Flex, Segmented, Skeleton } from "antd";
import { useSearchParams } from "react-router";
import { IfPermission } from "@/kernel/access";
import { DictTag, useDict } from "@/kernel/dict";
import { t as translate, useTranslation } from "@/kernel/i18n";
import { EmptyState, ErrorState, PageHeader, Pagination, pageSizeOf, TimeText, useMobile } from "@/kernel/ui";
import { CreateFeedback } from "./Create";
import { type Feedback, type FeedbackQuery, type NewFeedback, useFeedbackPage } from "./calls";
import { Thread } from "./Thread";
import "../thesis.css";

/** Links from other pages open the form with what they know. */
function prefilled(ask: string | null): Partial<NewFeedback> | undefined {
  if (ask === "extension") return { kind: 2, title: translate("thesis:feedback.extensionTitle") };
  if (ask === "real-name") {
    return {
      kind: 3,
      title: translate("thesis:feedback.realNameTitle"),
      content: translate("thesis:feedback.realNameContent"),
    };
  }
  if (ask === "enrolment") {
    return {
      kind: 3,
      title: translate("thesis:feedback.enrolmentTitle"),
      content: translate("thesis:feedback.enrolmentContent"),
    };
  }
  return undefined;
}

/** My questions to the school: ask, read the answers, go on asking, rate. */
export default function FeedbackPage() {
  const { t } = useTranslation("thesis");
  const mobile = useMobile();
  const [search, setSearch] = useSearchParams();
  const change = (part: Record<string, string>) =>
    setSearch(
      (present) => {
        for (const [name, value] of Object.entries(part)) {
          if (value) present.set(name, value);
          else present.delete(name);
        }
        return present;
      },
      { replace: true },
    );
  const query: FeedbackQuery = {
    pageNo: Number(search.get("pageNo")) || 1,
    pageSize: pageSizeOf(search.get("pageSize")),
    state: search.get("state") || undefined,
  };
  const page = useFeedbackPage(query);
  const open = Number(search.get("id")) || 0;
  const ask = search.get("ask");
  const title = page.data?.list.find((row) => row.id === open)?.title ?? t("feedback.page");
  return (
    <div className="th-page">
      <PageHeader
        title={t("feedback.page")}
        description={t("feedback.about")}
        actions={
          <IfPermission value={["thesis:feedback:create"]}>
            <Button type="primary" onClick={() => change({ ask: "new" })}>
              {t("feedback.new")}
            </Button>
          </IfPermission>
        }
      />
      <States value={query.state ?? ""} onChange={(state) => change({ state, pageNo: "" })} />
      {page.error && !page.data ? (
        <ErrorState error={page.error} onRetry={() => void page.refetch()} />
      ) : null}
      {page.isPending ? <Skeleton active paragraph={{ rows: 5 }} /> : null}
      {page.data ? (
        <List rows={page.data.list} filtered={!!query.state} onOpen={(id) => change({ id: String(id) })} />
      ) : null}
      {page.data && page.data.total > 0 ? (
        <div style={{ marginTop: 16 }}>
          <Pagination
            pageNo={query.pageNo}
            pageSize={query.pageSize}
            total={page.data.total}
            onChange={(pageNo, pageSize) => change({ pageNo: String(pageNo), pageSize: String(pageSize) })}
          />
        </div>
      ) : null}
      <CreateFeedback
        open={ask !== null}
        initial={prefilled(ask)}
        onClose={(id) => change({ ask: "", id: id ? String(id) : "" })}
      />
      <Drawer
        open={open > 0}
        title={title}
        size={mobile ? "100%" : 560}
        destroyOnHidden
        onClose={() => change({ id: "" })}
      >
        {open > 0 ? <Thread id={open} /> : null}
      </Drawer>
    </div>
  );
}

function States({ value, onChange }: { value: string; onChange: (state: string) => void }) {
  const { t } = useTranslation("thesis");
  const states = useDict("thesis_feedback_state");
  return (
    <div style={{ marginBottom: 16, overflowX: "auto" }}>
      <Segmented
        aria-label={t("feedback.state")}
        value={value}
        onChange={onChange}
        options={[
          { value: "", label: t("feedback.all") },
          ...states.map((state) => ({ value: state.value, label: state.label })),
        ]}
      />
    </div>
  );
}

interface ListProps {
  rows: Feedback[];
  filtered: boolean;
  onOpen: (id: number) => void;
}

function List({ rows, filtered, onOpen }: ListProps) {
  const { t } = useTranslation("thesis");
  if (rows.length === 0) {
    return (
      <EmptyState
        title={t(filtered ? "feedback.noneFound" : "feedback.none")}
        hint={t(filtered ? "feedback.noneFoundHint" : "feedback.noneHint")}
      />
    );
  }
  return (
    <ul className="th-list" aria-label={t("feedback.page")}>
      {rows.map((row) => (
        <li key={row.id}>
          <button type="button" className="th-item" onClick={() => onOpen(row.id)}>
            <Flex justify="space-between" gap={8} align="start">
              <span className="th-item-title">{row.title}</span>
              <DictTag type="thesis_feedback_state" value={row.state} />
            </Flex>
            <span className="th-item-meta">
              <DictTag type="thesis_feedback_kind" value={row.kind} />
              <span>
                {t("feedback.asked")} <TimeText value={row.createTime} relative />
              </span>
              {row.lastReplyAt > 0 ? (
                <span>
                  {t("feedback.answered")} <TimeText value={row.lastReplyAt} relative />
                </span>
              ) : null}
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}
