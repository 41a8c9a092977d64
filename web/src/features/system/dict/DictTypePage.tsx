import { Button } from "antd";
import { useMemo, useState } from "react";
import { Link, useNavigate } from "react-router";
import { errorText } from "@/kernel/api/errors";
import { type BaseRow, type CrudOptions, CrudPage, entityOf, useCrudPage } from "@/kernel/crud";
import { loadDicts } from "@/kernel/dict";
import { useTranslation } from "@/kernel/i18n";
import { toast } from "@/kernel/ui";
import { useDictReload } from "./useDictReload";

export interface DictType extends BaseRow {
  name: string;
  type: string;
  status: number;
  remark: string;
  createTime: number;
}

const entity = entityOf("system/dict-type");

function optionsOf(open: (row: DictType) => void): CrudOptions<DictType> {
  return {
    ns: "system",
    description: "system:dict.about",
    columns: [
      { name: "name", search: true },
      {
        name: "type",
        search: true,
        help: "system:dict.typeHelp",
        render: (_, row) => <Link to={`/dict/type/data/${row.id}`}>{row.type}</Link>,
      },
      { name: "status", search: true, initial: 0 },
      { name: "remark" },
      { name: "createTime", search: "range" },
    ],
    actions: [{ key: "data", label: "system:dict.data", run: open }],
    toolbar: () => <Reload />,
  };
}

/** The dictionaries: what the values of choices mean, shared by all tenants. */
export default function DictTypePage() {
  useTranslation("system");
  const navigate = useNavigate();
  const options = useMemo(() => optionsOf((row) => void navigate(`/dict/type/data/${row.id}`)), [navigate]);
  const page = useCrudPage<DictType>(entity, options);
  useDictReload(page.list);
  return <CrudPage page={page} options={options} name="system/dict-type" />;
}

/** Fetches the labels that this browser shows; others get changes when they load the page. */
function Reload() {
  const { t } = useTranslation("system");
  const [busy, setBusy] = useState(false);
  const reload = async () => {
    setBusy(true);
    try {
      await loadDicts();
      toast.success(t("dict.reloaded"));
    } catch (error) {
      toast.error(errorText(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button loading={busy} onClick={() => void reload()}>
      {t("dict.reload")}
    </Button>
  );
}
