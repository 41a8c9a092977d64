import { Alert, Form, Skeleton } from "antd";
import { post } from "@/kernel/api/client";
import { DictTag } from "@/kernel/dict";
import { ActDialog } from "@/kernel/form";
import { useTranslation } from "@/kernel/i18n";
import { ErrorState, toast } from "@/kernel/ui";
import { CheckTree } from "../tree/CheckTree";
import type { Role } from "./types";
import { type MenuName, useMenuGrant } from "./useMenuGrant";

interface Props {
  role: Role | null;
  onClose: () => void;
}

interface Values {
  menuIds: number[];
}

/** The menus and buttons of a role. What the user does not hold himself is shown, and locked. */
export function MenuGrant({ role, onClose }: Props) {
  const { t } = useTranslation("identity");
  const grant = useMenuGrant(role?.id);
  const name = role?.name ?? "";
  const submit = async ({ menuIds }: Values) => {
    await post("/system/permission/assign-role-menu", { roleId: role?.id, menuIds }, { silent: true });
    toast.success(t("role.menusSaved", { name }));
  };
  return (
    <ActDialog<Values>
      open={role !== null}
      title={t("role.menusTitle", { name })}
      okText={t("role.menusOk")}
      about={t("role.menusAbout")}
      width={640}
      waiting={!grant.ready}
      onSubmit={submit}
      onClose={onClose}
    >
      {grant.error ? <ErrorState error={grant.error} onRetry={() => void grant.retry()} /> : null}
      {!grant.ready && !grant.error ? <Skeleton active paragraph={{ rows: 6 }} /> : null}
      {grant.ready && grant.locked.size > 0 ? (
        <Alert type="info" showIcon title={t("role.menusLocked")} style={{ marginBottom: 12 }} />
      ) : null}
      {grant.ready ? (
        <Form.Item name="menuIds" initialValue={grant.marked} noStyle>
          <CheckTree<MenuName>
            items={grant.items ?? []}
            label={t("role.menus")}
            needsAbove
            locked={grant.locked}
            lockedReason={t("role.notHeld")}
            extra={(item) => <DictTag type="system_menu_type" value={item.type} />}
          />
        </Form.Item>
      ) : null}
    </ActDialog>
  );
}
