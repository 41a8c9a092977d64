import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Button, Flex, Input, Skeleton } from "antd";
import { useEffect, useState } from "react";
import { get, type PageOf } from "@/kernel/api/client";
import { DictSelect, DictTag } from "@/kernel/dict";
import { useTranslation } from "@/kernel/i18n";
import { EmptyState, ErrorState, Pagination } from "@/kernel/ui";
import { thesisKey } from "../shared/calls";
import type { OpenTopic } from "../shared/wire";

const PAUSE = 200;

interface Props {
  /** The topic chosen already. */
  chosen: number;
  onChoose: (topic: OpenTopic) => void;
}

/** The topics one may choose now, searchable, those of the own advisor first. */
export function TopicPicker({ chosen, onChoose }: Props) {
  const { t } = useTranslation("thesis");
  const [typed, setTyped] = useState("");
  const [keyword, setKeyword] = useState("");
  const [thesisType, setType] = useState<number>();
  const [pageNo, setPageNo] = useState(1);
  const [pageSize, setPageSize] = useState(10);
  useEffect(() => {
    const timer = setTimeout(() => {
      setKeyword(typed.trim());
      setPageNo(1);
    }, PAUSE);
    return () => clearTimeout(timer);
  }, [typed]);
  const query = { pageNo, pageSize, keyword: keyword || undefined, thesisType };
  const { data, error, isPending, refetch } = useQuery({
    queryKey: [thesisKey, "open-topics", query],
    queryFn: ({ signal }) =>
      get<PageOf<OpenTopic>>("/thesis/topic/open-page", query, { silent: true, signal }),
    placeholderData: keepPreviousData,
    retry: false,
  });
  return (
    <div className="th-stack">
      <Flex gap={8} wrap role="search">
        <Input.Search
          aria-label={t("picker.search")}
          placeholder={t("picker.searchHint")}
          allowClear
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          style={{ flex: "1 1 220px" }}
        />
        <DictSelect
          type="thesis_type"
          aria-label={t("picker.type")}
          placeholder={t("picker.type")}
          value={thesisType}
          onChange={(value) => {
            setType(value as number | undefined);
            setPageNo(1);
          }}
          style={{ flex: "0 1 180px" }}
        />
      </Flex>
      {error ? <ErrorState error={error} onRetry={() => void refetch()} /> : null}
      {isPending ? <Skeleton active title={false} paragraph={{ rows: 4 }} /> : null}
      {data ? (
        <TopicList topics={data.list} chosen={chosen} filtered={!!keyword} onChoose={onChoose} />
      ) : null}
      {data && data.total > 0 ? (
        <Pagination
          pageNo={pageNo}
          pageSize={pageSize}
          total={data.total}
          onChange={(no, size) => {
            setPageNo(no);
            setPageSize(size);
          }}
        />
      ) : null}
    </div>
  );
}

interface ListProps extends Props {
  topics: OpenTopic[];
  filtered: boolean;
}

function TopicList({ topics, chosen, filtered, onChoose }: ListProps) {
  const { t } = useTranslation("thesis");
  if (topics.length === 0) {
    return (
      <EmptyState
        title={t(filtered ? "picker.noneFound" : "picker.none")}
        hint={t(filtered ? "picker.noneFoundHint" : "picker.noneHint")}
      />
    );
  }
  return (
    <ul className="th-list" aria-label={t("picker.list")}>
      {topics.map((topic) => (
        <li key={topic.id} className={`th-item${topic.id === chosen ? " is-chosen" : ""}`}>
          <Flex gap={12} justify="space-between" align="start">
            <div style={{ minWidth: 0 }}>
              <span className="th-item-title">{topic.title}</span>
              <span className="th-item-meta">
                <span>
                  {topic.advisorName} · {topic.deptName}
                </span>
                {topic.ownAdvisor ? <strong>{t("picker.ownAdvisor")}</strong> : null}
                <DictTag type="thesis_type" value={topic.thesisType} />
                <DictTag type="thesis_source" value={topic.thesisSource} />
              </span>
              <Summary text={topic.summary} />
            </div>
            <Flex vertical align="end" gap={4}>
              <span
                className={topic.remaining === 1 ? "th-warn" : "th-quiet"}
                style={{ whiteSpace: "nowrap" }}
              >
                {t("picker.places", { left: topic.remaining, all: topic.maxStudents })}
              </span>
              <Button
                type={topic.id === chosen ? "primary" : "default"}
                aria-pressed={topic.id === chosen}
                aria-label={t("picker.chooseOf", { title: topic.title })}
                onClick={() => onChoose(topic)}
              >
                {t(topic.id === chosen ? "picker.chosen" : "picker.choose")}
              </Button>
            </Flex>
          </Flex>
        </li>
      ))}
    </ul>
  );
}

/** Long summaries fold. */
function Summary({ text }: { text: string }) {
  const { t } = useTranslation("thesis");
  if (!text) return null;
  if (text.length <= 80) return <div className="th-quiet">{text}</div>;
  return (
    <details>
      <summary className="th-quiet">{t("picker.summary", { start: text.slice(0, 40) })}</summary>
      <div style={{ whiteSpace: "pre-wrap" }}>{text}</div>
    </details>
  );
}
