import { type BaseRow, type CrudOptions, CrudPage, entityOf, useCrudPage } from "@/kernel/crud";
import { t, useTranslation } from "@/kernel/i18n";

interface Config extends BaseRow {
  category: string;
  name: string;
  key: string;
  value: string;
  type: number;
  visible: boolean;
  remark: string;
  createTime: number;
}

/** Value of the dictionary infra_config_type. */
const BUILT_IN = 1;

const entity = entityOf("infra/config");

const options: CrudOptions<Config> = {
  ns: "infra",
  description: "infra:config.about",
  locked: (row) => (row.type === BUILT_IN ? t("infra:config.builtIn") : ""),
  columns: [
    { name: "name", search: true },
    { name: "key", search: true, help: "infra:config.keyHelp" },
    {
      name: "value",
      help: "infra:config.valueHelp",
      render: (_, row) => (row.visible ? row.value : <span>{t("infra:config.secret")}</span>),
    },
    { name: "category", half: true },
    { name: "visible", half: true, initial: true, help: "infra:config.visibleHelp" },
    { name: "type", search: true },
    { name: "remark", optional: true },
    { name: "createTime", search: "range", optional: true },
  ],
};

/** The parameters of the installation. */
export default function ConfigPage() {
  useTranslation("infra");
  const page = useCrudPage<Config>(entity, options);
  // Built-in parameters stay, but their values are there to be edited.
  const actions = page.actions.map((action) =>
    action.key === "edit" ? { ...action, locked: undefined } : action,
  );
  return <CrudPage page={{ ...page, actions }} options={options} name="infra/config" />;
}
