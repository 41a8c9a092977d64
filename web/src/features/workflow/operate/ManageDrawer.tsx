import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Alert, Drawer, Skeleton, Tabs } from "antd";
import { Link } from "react-router";
import { useTranslation } from "@/kernel/i18n";
import { ErrorState, useMobile } from "@/kernel/ui";
import { manageDetail } from "./calls";
import { IncidentsPanel } from "./IncidentsPanel";
import { PlacesPanel } from "./PlacesPanel";
import { VariablesPanel } from "./VariablesPanel";
import type { ManageDetail } from "./wire";

export type ManageTab = "places" | "variables" | "incidents";

interface Props {
  instance: { id: string | number; name: string };
  tab?: ManageTab;
  onClose: () => void;
}

/** Looks into one instance: where it is, what it knows and what went wrong, with the acts on each. */
export function ManageDrawer({ instance, tab = "places", onClose }: Props) {
  const { t } = useTranslation("workflow");
  const mobile = useMobile();
  const client = useQueryClient();
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ["/bpm/process-instance", "manage", instance.id],
    queryFn: ({ signal }) => manageDetail(instance.id, signal),
    retry: false,
  });
  // The lists behind the drawer show what was done here.
  const refresh = async () => {
    await client.invalidateQueries({ queryKey: ["/bpm/process-instance"] });
    await client.invalidateQueries({ queryKey: ["/bpm/incident"] });
  };
  return (
    <Drawer
      open
      title={instance.name}
      size={mobile ? "100%" : 720}
      mask={{ closable: false }}
      onClose={onClose}
      extra={<Link to={`/bpm/process-instance/detail?id=${instance.id}`}>{t("operate.detail")}</Link>}
    >
      {isPending ? <Skeleton active /> : null}
      {error && !data ? <ErrorState error={error} onRetry={() => void refetch()} /> : null}
      {data ? <Content detail={data} tab={tab} onDone={refresh} /> : null}
    </Drawer>
  );
}

function Content({
  detail,
  tab,
  onDone,
}: {
  detail: ManageDetail;
  tab: ManageTab;
  onDone: () => Promise<void>;
}) {
  const { t } = useTranslation("workflow");
  const ended = detail.endTime !== null;
  return (
    <>
      {ended ? <Alert type="info" title={t("operate.ended")} style={{ marginBottom: 12 }} /> : null}
      {detail.suspended ? (
        <Alert type="warning" title={t("operate.standing")} style={{ marginBottom: 12 }} />
      ) : null}
      <Tabs
        defaultActiveKey={tab}
        items={[
          {
            key: "places",
            label: t("operate.places"),
            children: <PlacesPanel detail={detail} onDone={onDone} />,
          },
          {
            key: "variables",
            label: t("operate.variables"),
            children: <VariablesPanel detail={detail} onDone={onDone} />,
          },
          {
            key: "incidents",
            label: t("operate.incidents", { n: detail.incidents.length }),
            children: <IncidentsPanel detail={detail} onDone={onDone} />,
          },
        ]}
      />
    </>
  );
}
