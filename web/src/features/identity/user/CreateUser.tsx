import { Form } from "antd";
import { useAccess } from "@/kernel/access";
import { post } from "@/kernel/api/client";
import { errorText } from "@/kernel/api/errors";
import { joinColumns } from "@/kernel/crud";
import type { Values } from "@/kernel/crud/values";
import { useTranslation } from "@/kernel/i18n";
import { toast } from "@/kernel/ui";
import { CreateDrawer } from "../shared/CreateDrawer";
import { NewPassword } from "../shared/NewPassword";
import { RoleSelect } from "./AssignRoles";
import { createColumns } from "./columns";
import { entity, STUDENT, type User } from "./types";

interface Props {
  open: boolean;
  /** The department chosen beside the list. */
  deptId: number;
  onDone: () => Promise<void>;
  onClose: () => void;
}

const columns = joinColumns<User>(entity, createColumns);
const more = ["password"] as const;
const ASSIGN = "system:permission:assign-user-role";

/** A new account with its first password, posts and roles. */
export function CreateUser({ open, deptId, onDone, onClose }: Props) {
  const { t } = useTranslation("identity");
  const mayAssign = useAccess().hasPermission([ASSIGN]);
  const giveRoles = async (userId: number, values: Values) => {
    const roleIds = (values.roleIds as number[] | undefined) ?? [];
    if (roleIds.length === 0 || values.type === STUDENT) return;
    // The account exists by now: failing here must not look as if it did not.
    await post("/system/permission/assign-user-role", { userId, roleIds }, { silent: true }).catch(
      (error: unknown) => toast.error(t("user.rolesFailed", { reason: errorText(error) }), 8),
    );
  };
  return (
    <CreateDrawer<User>
      entity={entity}
      columns={columns}
      more={more}
      open={open}
      initial={deptId ? { deptId } : undefined}
      onCreated={giveRoles}
      onDone={onDone}
      onClose={onClose}
    >
      <Access mayAssign={mayAssign} />
    </CreateDrawer>
  );
}

/** The first password, and the roles where the user may give any. */
function Access({ mayAssign }: { mayAssign: boolean }) {
  const { t } = useTranslation("identity");
  const username = Form.useWatch<string | undefined>("username") ?? "";
  const type = Form.useWatch<number | undefined>("type");
  return (
    <>
      <NewPassword name="password" label={t("password.first")} username={username} offerRandom />
      {mayAssign && type !== STUDENT ? (
        <Form.Item name="roleIds" label={t("user.roles")} extra={t("user.rolesHelp")}>
          <RoleSelect />
        </Form.Item>
      ) : null}
    </>
  );
}
