import { Flex, Select } from "antd";
import { useTranslation } from "@/kernel/i18n";
import { apply, makeVendor } from "../kit/change";
import { addExtension, extensions, removeExtension } from "../kit/extensions";
import { differing } from "../kit/rows";
import { text, useScope } from "../kit/scope";
import { type FormField, useFormFields } from "../kit/useFormFields";
import type { ModdleElement } from "../kit/wire";

const NONE = "";

/** What a decider may do with each field of the form: read, write, or not see. */
export function FieldPermissions() {
  const { t } = useTranslation("panel");
  const scope = useScope();
  const fields = useFormFields(scope);
  const present = extensions(scope, scope.bo, "FieldsPermission");
  // What the file says of fields that no form has stays to be seen and taken away.
  const others = present
    .filter((one) => !fields.some(({ id }) => id === text(one, "field")))
    .map((one) => ({ id: text(one, "field"), label: text(one, "title") || text(one, "field") }));
  if (fields.length === 0 && others.length === 0) return <p>{t("approval.noFormFields")}</p>;
  return [...fields, ...others].map((field) => (
    <PermissionRow
      key={field.id}
      field={field}
      permission={present.find((one) => text(one, "field") === field.id)}
    />
  ));
}

interface RowProps {
  field: FormField;
  permission: ModdleElement | undefined;
}

function PermissionRow({ field, permission }: RowProps) {
  const { t } = useTranslation("panel");
  const scope = useScope();
  const write = (next: string) => {
    const props = { field: field.id, title: field.label, permission: next };
    if (next === NONE) apply(scope, permission ? removeExtension(scope, scope.bo, permission) : []);
    else if (permission) apply(scope, differing(permission, { permission: next }));
    else apply(scope, addExtension(scope, scope.bo, makeVendor(scope, "FieldsPermission", props)));
  };
  return (
    <Flex gap={8} align="center" justify="space-between" className="panel-line">
      <span className="panel-name">{field.label}</span>
      <Select
        aria-label={t("approval.permissionOf", { name: field.label })}
        value={text(permission, "permission")}
        onChange={write}
        style={{ width: 160 }}
        options={[NONE, "1", "2", "3"].map((value) => ({
          value,
          label: t(`approval.permission.${value || "none"}`),
        }))}
      />
    </Flex>
  );
}
