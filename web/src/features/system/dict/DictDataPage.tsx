import { useQuery } from "@tanstack/react-query";
import { Select, Skeleton } from "antd";
import { useMemo } from "react";
import { useNavigate, useParams } from "react-router";
import { useAccess } from "@/kernel/access";
import { get } from "@/kernel/api/client";
import { type CrudOptions, CrudPage, entityOf, useCrudPage, useRefRows } from "@/kernel/crud";
import { useTranslation } from "@/kernel/i18n";
import { ErrorState, ForbiddenState } from "@/kernel/ui";
import { useTabTitle } from "@/layout";
import { ColourChoice, ColourTag } from "./Colour";
import type { DictType } from "./DictTypePage";
import { colourOf, type DictData } from "./data";
import { useDictReload } from "./useDictReload";

const entity = entityOf("system/dict-data");

/** The values of one dictionary, with the colours in which they are shown. */
export default function DictDataPage() {
  const { t } = useTranslation("system");
  const { dictId } = useParams();
  const permitted = useAccess().hasPermission(["system:dict:query"]);
  const { data, error, refetch } = useQuery({
    queryKey: ["/system/dict-type", "get", Number(dictId)],
    queryFn: ({ signal }) => get<DictType>("/system/dict-type/get", { id: dictId }, { silent: true, signal }),
    enabled: permitted,
    retry: false,
  });
  useTabTitle(data?.name);
  if (!permitted) return <ForbiddenState title={t("dict.data")} permission="system:dict:query" />;
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton active paragraph={{ rows: 8 }} />;
  return <Entries key={data.id} type={data} />;
}

function Entries({ type }: { type: DictType }) {
  useTranslation("system");
  const options = useMemo(() => optionsOf(type), [type]);
  const page = useCrudPage<DictData>(entity, options);
  useDictReload(page.list);
  return <CrudPage page={page} options={options} name="system/dict-data" />;
}

function optionsOf(type: DictType): CrudOptions<DictData> {
  return {
    ns: "system",
    description: "system:dict.dataAbout",
    nameOf: (row) => row.label,
    fixed: { dictType: type.type },
    extraBody: () => ({ dictType: type.type }),
    toolbar: () => <TypeSwitch id={type.id} />,
    columns: [
      {
        name: "label",
        search: true,
        half: true,
        render: (_, row) => <ColourTag colour={row.colorType} css={row.cssClass} text={row.label} />,
      },
      { name: "labelEn", half: true, help: "system:dict.labelEnHelp" },
      { name: "value", half: true, help: "system:dict.valueHelp" },
      { name: "sort", half: true, initial: 0, help: "system:dict.sortHelp" },
      { name: "status", search: true, half: true, initial: 0 },
      {
        name: "colorType",
        half: true,
        initial: "default",
        input: ({ id, value, onChange }) => (
          <ColourChoice id={id} value={colourOf(value)} onChange={onChange} />
        ),
      },
      { name: "cssClass", optional: true, help: "system:dict.cssHelp" },
      { name: "remark", optional: true },
      { name: "createTime", optional: true },
    ],
  };
}

/** Goes on to another dictionary without returning to the list. */
function TypeSwitch({ id }: { id: number }) {
  const { t } = useTranslation("system");
  const navigate = useNavigate();
  const { rows, loading } = useRefRows("/system/dict-type/simple-list");
  return (
    <Select<number>
      aria-label={t("dict.switch")}
      value={id}
      loading={loading}
      showSearch={{ optionFilterProp: "label" }}
      style={{ width: 220 }}
      options={rows.map((row) => ({ value: row.id, label: row.name ?? String(row.id) }))}
      onChange={(next) => void navigate(`/dict/type/data/${next}`)}
    />
  );
}
