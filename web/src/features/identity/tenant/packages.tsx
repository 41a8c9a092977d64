import { Skeleton } from "antd";
import { lazy, Suspense } from "react";
import { type BaseRow, crudPage } from "@/kernel/crud";
import { t } from "@/kernel/i18n";

const MenuChoice = lazy(() => import("./MenuChoice").then((part) => ({ default: part.MenuChoice })));

interface TenantPackage extends BaseRow {
  name: string;
  status: number;
  remark: string;
  menuIds: number[] | null;
  createTime: number;
}

export default crudPage<TenantPackage>("system/tenant-package", {
  ns: "identity",
  description: "identity:package.about",
  columns: [
    { name: "name", search: true },
    {
      name: "menuIds",
      help: "identity:package.menusHelp",
      render: (value) => t("identity:package.count", { total: ((value as number[] | null) ?? []).length }),
      input: ({ id, value, onChange }) => (
        <Suspense fallback={<Skeleton active paragraph={{ rows: 4 }} />}>
          <MenuChoice id={id} value={value as number[]} onChange={onChange} />
        </Suspense>
      ),
    },
    { name: "status", search: true, initial: 0 },
    { name: "remark", search: true },
    { name: "createTime", search: "range" },
  ],
});
