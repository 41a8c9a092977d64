import { SafetyCertificateOutlined } from "@ant-design/icons";
import { Button } from "antd";
import { lazy, Suspense, useState } from "react";
import { get } from "@/kernel/api/client";
import { type CrudOptions, CrudPage, useCrudPage } from "@/kernel/crud";
import { useTranslation } from "@/kernel/i18n";
import { alertBox } from "@/kernel/ui";
import { entity, type OperateLog } from "./entity";

const Diff = lazy(() => import("./Diff").then((part) => ({ default: part.Diff })));

const options: CrudOptions<OperateLog> = {
  ns: "system",
  description: "system:log.about",
  nameOf: (row) => `${row.subType}${row.type} #${row.bizId}`,
  toolbar: () => <VerifyChain />,
  detailExtra: (row) => (
    <Suspense fallback={null}>
      <Diff row={row} />
    </Suspense>
  ),
  actions: [{ key: "view", label: "kernel:action.view", run: (row, page) => page.openDetail(row) }],
  columns: [
    { name: "createTime", search: "range" },
    { name: "userNickname", search: true, width: 120 },
    { name: "userName", optional: true },
    { name: "type", search: true, width: 140 },
    { name: "subType", search: true, width: 100 },
    { name: "action", search: true, width: 420 },
    { name: "bizId", search: true, width: 100 },
    { name: "extra", optional: true },
    { name: "userIp", width: 140 },
    { name: "userType", optional: true },
    { name: "requestMethod", optional: true },
    { name: "requestUrl", optional: true },
    { name: "userAgent", optional: true },
    { name: "traceId", optional: true },
    { name: "chainNo", table: false, detail: true },
    { name: "hash", table: false, detail: true, render: (value) => <code>{String(value)}</code> },
  ],
};

/** Who changed what, when and from where; rows are chained so that none can vanish unseen. */
export default function OperateLogPage() {
  useTranslation("system");
  const page = useCrudPage<OperateLog>(entity, options);
  // The open detail needs no way to itself.
  const actions = page.actions.map((action) =>
    action.key === "view" ? { ...action, hidden: (row: OperateLog) => row.id === page.detail?.id } : action,
  );
  return <CrudPage page={{ ...page, actions }} options={options} name="system/operate-log" />;
}

interface Chain {
  ok: boolean;
  rows: number;
  broken: number;
}

/** Has the server recompute the chain of hashes. */
function VerifyChain() {
  const { t } = useTranslation("system");
  const [busy, setBusy] = useState(false);
  const verify = async () => {
    setBusy(true);
    try {
      const chain = await get<Chain>("/system/operate-log/verify-chain", undefined, { timeout: 300_000 });
      const rows = chain.rows.toLocaleString();
      if (chain.ok) await alertBox(t("log.intact", { rows }), "success");
      else await alertBox(t("log.broken", { rows, id: chain.broken }), "error");
    } catch {
      // The client has shown why.
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button icon={<SafetyCertificateOutlined />} loading={busy} onClick={() => void verify()}>
      {t("log.verify")}
    </Button>
  );
}
