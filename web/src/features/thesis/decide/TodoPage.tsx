import { Button, Flex } from "antd";
import { useEffect, useRef, useState } from "react";
import { useSearchParams } from "react-router";
import { useTranslation } from "@/kernel/i18n";
import { EmptyState, ErrorState, PageHeader, useMobile } from "@/kernel/ui";
import type { Todo } from "../shared/subjectWire";
import { BatchApprove } from "./BatchApprove";
import { QUEUE_MOST, QUEUE_SIZE, type TodoFilter, useTodo, type Verdict } from "./calls";
import { DecisionView } from "./DecisionView";
import { Queue, QueueFilter } from "./Queue";
import { useDecisionKeys } from "./useDecisionKeys";
import "../thesis.css";

const PAUSE = 200;

/** What waits for me: the queue beside the one that is open; after a decision the next one opens. */
export default function TodoPage() {
  const { t } = useTranslation("thesis");
  const mobile = useMobile();
  const [filter, setFilter] = useState<TodoFilter>({ keyword: "", level: 0 });
  const asked = usePaused(filter);
  const [size, setSize] = useState(QUEUE_SIZE);
  const todo = useTodo(asked, size);
  const rows = todo.data?.list ?? [];
  const place = useQueuePlace(rows, mobile);
  const [selected, setSelected] = useState<number[]>([]);
  const [batch, setBatch] = useState(false);
  const ask = useRef<((verdict: Verdict) => void) | null>(null);
  useDecisionKeys({
    next: place.next,
    previous: place.previous,
    approve: () => ask.current?.("approve"),
    giveBack: () => ask.current?.("return"),
  });
  const chosen = rows.filter((row) => selected.includes(row.id));
  const list = (
    <div className="th-stack" style={{ gap: 8 }}>
      <QueueFilter value={filter} onChange={setFilter} />
      {chosen.length > 0 ? (
        <Flex gap={8} align="center" wrap className="viva-batch" role="status">
          {t("todo.selected", { n: chosen.length })}
          <Button type="primary" onClick={() => setBatch(true)}>
            {t("todo.batch")}
          </Button>
          <Button onClick={() => setSelected([])}>{t("todo.clear")}</Button>
        </Flex>
      ) : null}
      {todo.error ? <ErrorState error={todo.error} onRetry={() => void todo.refetch()} /> : null}
      {todo.data && rows.length === 0 ? <Nothing filtered={!!asked.keyword || asked.level > 0} /> : null}
      <Queue
        rows={rows}
        current={place.current}
        selected={selected}
        onOpen={place.open}
        onSelect={setSelected}
      />
      {todo.data && todo.data.total > rows.length && size < QUEUE_MOST ? (
        <Button loading={todo.isFetching} onClick={() => setSize(Math.min(size + QUEUE_SIZE, QUEUE_MOST))}>
          {t("todo.more", { n: todo.data.total - rows.length })}
        </Button>
      ) : null}
    </div>
  );
  const shown = place.current > 0 && (
    <section className="th-card" aria-label={t("todo.open")}>
      {mobile ? (
        <Button style={{ marginBottom: 12 }} onClick={() => place.open(0)}>
          {t("todo.back")}
        </Button>
      ) : null}
      <DecisionView
        key={place.current}
        id={place.current}
        onDecided={place.decided}
        onSkip={place.decided}
        onReady={(fn) => {
          ask.current = fn;
        }}
      />
    </section>
  );
  return (
    <div>
      <PageHeader
        title={t("todo.title")}
        extra={todo.data ? t("todo.count", { n: todo.data.total }) : undefined}
        description={mobile ? undefined : t("todo.keys")}
      />
      {mobile ? (
        shown || list
      ) : (
        <div className="th-todo">
          {list}
          {shown || null}
        </div>
      )}
      <BatchApprove
        rows={chosen}
        open={batch}
        onClose={() => setBatch(false)}
        onDone={() => {
          void todo.refetch();
        }}
      />
    </div>
  );
}

function Nothing({ filtered }: { filtered: boolean }) {
  const { t } = useTranslation("thesis");
  return (
    <EmptyState
      title={t(filtered ? "todo.noneFound" : "todo.none")}
      hint={t(filtered ? "todo.noneFoundHint" : "todo.noneHint")}
    />
  );
}

function usePaused(filter: TodoFilter): TodoFilter {
  const [asked, setAsked] = useState(filter);
  useEffect(() => {
    const timer = setTimeout(() => setAsked({ ...filter, keyword: filter.keyword.trim() }), PAUSE);
    return () => clearTimeout(timer);
  }, [filter]);
  return asked;
}

interface Place {
  current: number;
  open: (id: number) => void;
  next: () => void;
  previous: () => void;
  /** Opens the one after the decided one, or the one before the last. */
  decided: () => void;
}

/** Which one is open lives in the address; on a wide screen the first opens by itself. */
function useQueuePlace(rows: Todo[], mobile: boolean): Place {
  const [search, setSearch] = useSearchParams();
  const wanted = Number(search.get("id")) || 0;
  const current = wanted || (mobile ? 0 : (rows[0]?.id ?? 0));
  const index = rows.findIndex((row) => row.id === current);
  const open = (id: number) =>
    setSearch(
      (present) => {
        if (id > 0) present.set("id", String(id));
        else present.delete("id");
        return present;
      },
      { replace: true },
    );
  const step = (by: number) => {
    const target = rows[index + by];
    if (target) open(target.id);
  };
  return {
    current,
    open,
    next: () => step(1),
    previous: () => step(-1),
    decided: () => open((rows[index + 1] ?? rows[index - 1])?.id ?? 0),
  };
}
