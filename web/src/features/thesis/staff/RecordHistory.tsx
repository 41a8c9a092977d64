import { Skeleton, Tag } from "antd";
import { useTranslation } from "@/kernel/i18n";
import { ErrorState } from "@/kernel/ui";
import { Timeline } from "../shared/Timeline";
import { useHistory } from "./calls";

/** Everything that happened to a thesis, and whether the record of it is unbroken. */
export function RecordHistory({ recordId }: { recordId: number }) {
  const { t } = useTranslation("thesis");
  const { data, error, isPending, refetch } = useHistory(recordId);
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (isPending || !data) return <Skeleton active />;
  return (
    <section aria-label={t("history.title")}>
      <h3 style={{ fontSize: 14 }}>
        {t("history.title")}{" "}
        <Tag color={data.intact ? "success" : "error"}>
          {t(data.intact ? "history.intact" : "history.broken")}
        </Tag>
      </h3>
      <Timeline entries={data.list} />
    </section>
  );
}
