import { Flex, Tag } from "antd";
import { type BaseRow, type ColumnSpec, entityOf, RefText } from "@/kernel/crud";
import { t } from "@/kernel/i18n";
import { TimeText } from "@/kernel/ui";

export interface Tenant extends BaseRow {
  name: string;
  contactName: string;
  contactMobile: string;
  status: number;
  websites: string[] | null;
  packageId: number;
  expireTime: number;
  accountCount: number;
  createTime: number;
}

export const entity = entityOf("system/tenant");

/** The tenant that runs the installation has no package: it may use everything. */
const NO_PACKAGE = 0;
const SOON = 30 * 24 * 3600_000;

export function locked(row: Tenant): string {
  return row.packageId === NO_PACKAGE ? t("identity:tenant.system") : "";
}

export const columns: ColumnSpec<Tenant>[] = [
  { name: "name", search: true },
  { name: "contactName", search: true, half: true },
  { name: "contactMobile", search: true, half: true },
  {
    name: "packageId",
    half: true,
    render: (_, row) =>
      row.packageId === NO_PACKAGE ? (
        <Tag>{t("identity:tenant.everything")}</Tag>
      ) : (
        <RefText path="/system/tenant-package/simple-list" value={row.packageId} />
      ),
  },
  { name: "accountCount", half: true, initial: 1000, help: "identity:tenant.accountsHelp" },
  { name: "expireTime", half: true, render: (_, row) => <Expiry at={row.expireTime} /> },
  { name: "status", search: true, half: true, initial: 0, help: "identity:tenant.statusHelp" },
  {
    name: "websites",
    optional: true,
    help: "identity:tenant.websitesHelp",
    render: (_, row) => (
      <Flex gap={4} wrap component="span">
        {(row.websites ?? []).map((site) => (
          <Tag key={site}>{site}</Tag>
        ))}
      </Flex>
    ),
  },
  { name: "createTime", search: "range" },
];

function Expiry({ at }: { at: number }) {
  const rest = at - Date.now();
  return (
    <>
      <TimeText value={at} pattern="YYYY-MM-DD" />{" "}
      {rest < 0 ? <Tag color="error">{t("identity:tenant.expired")}</Tag> : null}
      {rest >= 0 && rest < SOON ? <Tag color="warning">{t("identity:tenant.soon")}</Tag> : null}
    </>
  );
}
