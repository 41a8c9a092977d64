import { lazy, useState } from "react";
import { type CrudOptions, CrudPage, useCrudPage } from "@/kernel/crud";
import { OnDemand } from "@/kernel/crud/parts";
import { useTranslation } from "@/kernel/i18n";
import { columns, entity, locked, type Tenant } from "./columns";

const CreateTenant = lazy(() => import("./dialogs").then((part) => ({ default: part.CreateTenant })));

const options: CrudOptions<Tenant> = {
  ns: "identity",
  description: "identity:tenant.about",
  columns,
  locked,
};

/** The universities on this installation. */
export default function TenantPage() {
  useTranslation("identity");
  const [creating, setCreating] = useState(false);
  const base = useCrudPage<Tenant>(entity, options);
  const page = {
    ...base,
    openForm: (row: Tenant | null) => (row ? base.openForm(row) : setCreating(true)),
  };
  return (
    <>
      <CrudPage page={page} options={options} name="system/tenant" />
      <OnDemand open={creating}>
        <CreateTenant open={creating} onDone={base.refresh} onClose={() => setCreating(false)} />
      </OnDemand>
    </>
  );
}
