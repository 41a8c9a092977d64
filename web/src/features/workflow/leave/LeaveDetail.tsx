import { useQuery } from "@tanstack/react-query";
import { Descriptions, Skeleton } from "antd";
import { Link, useSearchParams } from "react-router";
import { useAccess } from "@/kernel/access";
import { DictTag } from "@/kernel/dict";
import { useTranslation } from "@/kernel/i18n";
import { ErrorState, PageHeader, TimeText } from "@/kernel/ui";
import { instancePath } from "../process/paths";
import { getLeave, type Leave } from "./leave";
import "../process/process.css";

/** One application, for its owner and for whoever decides it. */
export default function LeaveDetail() {
  const { t } = useTranslation("workflow");
  const [search] = useSearchParams();
  const id = search.get("id") ?? "";
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ["/bpm/oa/leave", "get", id],
    queryFn: ({ signal }) => getLeave(id, signal),
    retry: false,
  });
  return (
    <div>
      <PageHeader
        title={t("leave.detail")}
        extra={data ? <DictTag type="bpm_process_instance_status" value={data.status} /> : undefined}
      />
      {error ? <ErrorState error={error} onRetry={() => void refetch()} /> : null}
      {isPending && !error ? <Skeleton active /> : null}
      {data && !error ? <Facts leave={data} /> : null}
    </div>
  );
}

function Facts({ leave }: { leave: Leave }) {
  const { t } = useTranslation("workflow");
  const mayFollow = useAccess().hasPermission(["bpm:process-instance:query"]);
  const items = [
    {
      key: "type",
      label: t("leave.type"),
      children: <DictTag type="bpm_oa_leave_type" value={leave.type} />,
    },
    { key: "from", label: t("leave.from"), children: <TimeText value={leave.startTime} /> },
    { key: "to", label: t("leave.to"), children: <TimeText value={leave.endTime} /> },
    { key: "day", label: t("leave.day"), children: t("leave.days", { n: leave.day }) },
    {
      key: "reason",
      label: t("leave.reason"),
      children: <span style={{ whiteSpace: "pre-wrap" }}>{leave.reason}</span>,
    },
  ];
  return (
    <div className="pr-box">
      <Descriptions column={1} items={items} />
      {mayFollow && leave.processInstanceId ? (
        <Link to={instancePath(leave.processInstanceId)}>{t("leave.progress")}</Link>
      ) : null}
    </div>
  );
}
