import { Input, Select } from "antd";
import { useTranslation } from "@/kernel/i18n";
import { FormRows } from "./FormRows";

/** Injected fields as rows of a form. */
export function FieldRows() {
  const { t } = useTranslation("panel");
  return (
    <FormRows
      name="fields"
      title={t("field.title")}
      addText={t("field.add")}
      ask={t("field.ask")}
      fresh={{ fieldType: "string" }}
      cells={[
        { name: "name", label: t("field.name"), needed: t("field.nameEmpty"), input: <Input /> },
        {
          name: "fieldType",
          label: t("field.type"),
          input: (
            <Select
              options={["string", "expression"].map((value) => ({ value, label: t(`field.types.${value}`) }))}
            />
          ),
        },
        { name: "value", label: t("field.value"), needed: t("field.valueEmpty"), input: <Input /> },
      ]}
    />
  );
}
