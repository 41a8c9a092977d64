import { Divider, Form, Input } from "antd";
import { joinColumns } from "@/kernel/crud";
import { useTranslation } from "@/kernel/i18n";
import { CreateDrawer } from "../shared/CreateDrawer";
import { NewPassword } from "../shared/NewPassword";
import { columns as described, entity, type Tenant } from "./columns";

interface Props {
  open: boolean;
  onDone: () => Promise<void>;
  onClose: () => void;
}

const columns = joinColumns<Tenant>(
  entity,
  described.filter((column) => column.name !== "createTime"),
);
const more = ["username", "password"] as const;

/** A new tenant with its first administrator. */
export function CreateTenant({ open, onDone, onClose }: Props) {
  return (
    <CreateDrawer<Tenant>
      entity={entity}
      columns={columns}
      more={more}
      open={open}
      onDone={onDone}
      onClose={onClose}
    >
      <Administrator />
    </CreateDrawer>
  );
}

/** The account by which the new tenant is taken over. */
function Administrator() {
  const { t } = useTranslation("identity");
  const username = Form.useWatch<string | undefined>("username") ?? "";
  return (
    <>
      <Divider titlePlacement="start">{t("tenant.admin")}</Divider>
      <Form.Item
        name="username"
        label={t("tenant.adminName")}
        extra={t("tenant.adminHelp")}
        rules={[
          { required: true, whitespace: true, message: t("tenant.adminMissing") },
          { pattern: /^[a-zA-Z0-9]{4,30}$/, message: t("tenant.adminRule") },
        ]}
      >
        <Input autoComplete="off" maxLength={30} />
      </Form.Item>
      <NewPassword name="password" label={t("password.first")} username={username} offerRandom />
    </>
  );
}
