import { Alert, Skeleton } from "antd";
import { errorText } from "@/kernel/api/errors";
import { DictTag } from "@/kernel/dict";
import { useTranslation } from "@/kernel/i18n";
import { type MenuName, useMenuNames } from "../role/useMenuGrant";
import { CheckTree } from "../tree/CheckTree";

interface ChoiceProps {
  id?: string;
  value?: number[];
  onChange?: (ids: number[]) => void;
}

/** Chooses the menus of a package. */
export function MenuChoice({ id, value, onChange }: ChoiceProps) {
  const { t } = useTranslation("identity");
  const { data, error } = useMenuNames(true);
  if (error) return <Alert type="error" title={errorText(error)} />;
  if (!data) return <Skeleton active paragraph={{ rows: 4 }} />;
  return (
    <CheckTree<MenuName>
      id={id}
      items={data}
      label={t("role.menus")}
      needsAbove
      value={value}
      onChange={onChange}
      extra={(item) => <DictTag type="system_menu_type" value={item.type} />}
    />
  );
}
