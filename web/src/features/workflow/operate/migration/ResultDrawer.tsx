import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Drawer, Segmented, Skeleton, Tag } from "antd";
import { useState } from "react";
import { Link } from "react-router";
import { useTranslation } from "@/kernel/i18n";
import { DEFAULT_PAGE_SIZE, EmptyState, ErrorState, Pagination, useMobile } from "@/kernel/ui";
import { items } from "./calls";
import { Problems } from "./ReportView";
import { type Migration, RUNNING } from "./wire";
import "../operate.css";

/** What became of each instance of a migration. */
export function ResultDrawer({ migration, onClose }: { migration: Migration; onClose: () => void }) {
  const { t } = useTranslation("workflow");
  const mobile = useMobile();
  const [failedOnly, setFailedOnly] = useState(false);
  const [paging, setPaging] = useState({ pageNo: 1, pageSize: DEFAULT_PAGE_SIZE });
  const query = { migrationId: migration.id, failedOnly, ...paging };
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ["/bpm/migration", "items", query],
    queryFn: ({ signal }) => items(query, signal),
    placeholderData: keepPreviousData,
    refetchInterval: migration.status === RUNNING ? 2000 : false,
    retry: false,
  });
  return (
    <Drawer
      open
      title={t("migration.resultTitle", { name: migration.name })}
      size={mobile ? "100%" : 640}
      mask={{ closable: false }}
      onClose={onClose}
    >
      <Segmented<string>
        aria-label={t("migration.outcome")}
        value={failedOnly ? "failed" : "all"}
        onChange={(next) => {
          setFailedOnly(next === "failed");
          setPaging((present) => ({ ...present, pageNo: 1 }));
        }}
        options={[
          { value: "all", label: t("migration.all") },
          { value: "failed", label: t("migration.failedOnly") },
        ]}
      />
      {isPending ? <Skeleton active /> : null}
      {error && !data ? <ErrorState error={error} onRetry={() => void refetch()} /> : null}
      {data && data.list.length === 0 ? <EmptyState title={t("migration.noItems")} /> : null}
      <ul className="op-list">
        {(data?.list ?? []).map((item) => (
          <li key={item.processInstanceId}>
            <div>
              <Link to={`/bpm/process-instance/detail?id=${item.processInstanceId}`}>{item.name}</Link>
              <Problems list={item.problems} />
            </div>
            <Tag color={item.migrated ? "success" : "error"}>
              {t(item.migrated ? "migration.went" : "migration.wentNot")}
            </Tag>
          </li>
        ))}
      </ul>
      {data && data.total > 0 ? (
        <Pagination
          {...paging}
          total={data.total}
          capped={data.totalCapped}
          onChange={(pageNo, pageSize) => setPaging({ pageNo, pageSize })}
        />
      ) : null}
    </Drawer>
  );
}
