import { Form, Radio, Skeleton } from "antd";
import { post } from "@/kernel/api/client";
import { useRefRows } from "@/kernel/crud/refs";
import { useDict } from "@/kernel/dict";
import { ActDialog } from "@/kernel/form";
import { useTranslation } from "@/kernel/i18n";
import { toast } from "@/kernel/ui";
import { CheckTree } from "../tree/CheckTree";
import { ALL_DATA, CHOSEN_DEPTS, type Role } from "./types";

interface Props {
  role: Role | null;
  onDone: () => Promise<void>;
  onClose: () => void;
}

interface Values {
  dataScope: number;
  dataScopeDeptIds?: number[];
}

/** Whose rows the holders of a role see. */
export function DataScope({ role, onDone, onClose }: Props) {
  const { t } = useTranslation("identity");
  const name = role?.name ?? "";
  const submit = async ({ dataScope, dataScopeDeptIds = [] }: Values) => {
    const body = { roleId: role?.id, dataScope, dataScopeDeptIds };
    await post("/system/permission/assign-role-data-scope", body, { silent: true });
    toast.success(t("role.scopeSaved", { name }));
    await onDone();
  };
  return (
    <ActDialog<Values>
      open={role !== null}
      title={t("role.scopeTitle", { name })}
      okText={t("role.scopeOk")}
      about={t("role.scopeAbout")}
      width={600}
      initial={{ dataScope: role?.dataScope ?? ALL_DATA, dataScopeDeptIds: role?.dataScopeDeptIds ?? [] }}
      onSubmit={submit}
      onClose={onClose}
    >
      <ScopeFields />
    </ActDialog>
  );
}

function ScopeFields() {
  const { t } = useTranslation("identity");
  const scopes = useDict("system_data_scope");
  const chosen = Form.useWatch<number | undefined>("dataScope") === CHOSEN_DEPTS;
  return (
    <>
      <Form.Item name="dataScope" label={t("role.scope")}>
        <Radio.Group
          vertical
          options={scopes.map((scope) => ({
            value: Number(scope.value),
            label: (
              <>
                {scope.label}
                <span className="role-scope-help">{t(`role.scopeHelp.${scope.value}`)}</span>
              </>
            ),
          }))}
        />
      </Form.Item>
      {chosen ? (
        <Form.Item
          name="dataScopeDeptIds"
          label={t("role.depts")}
          rules={[
            {
              validator: async (_rule, ids: number[] | undefined) => {
                if (!ids?.length) throw new Error(t("role.deptsMissing"));
              },
            },
          ]}
        >
          <DeptChoice />
        </Form.Item>
      ) : null}
    </>
  );
}

interface ChoiceProps {
  id?: string;
  value?: number[];
  onChange?: (ids: number[]) => void;
}

function DeptChoice({ id, value, onChange }: ChoiceProps) {
  const { t } = useTranslation("identity");
  const { rows, loading } = useRefRows("/system/dept/simple-list");
  if (loading && rows.length === 0) return <Skeleton active paragraph={{ rows: 4 }} />;
  const items = rows.map((row) => ({ id: row.id, parentId: row.parentId, name: row.name ?? "" }));
  return <CheckTree id={id} items={items} label={t("role.depts")} value={value} onChange={onChange} />;
}
