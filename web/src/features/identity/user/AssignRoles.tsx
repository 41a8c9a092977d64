import { useQuery } from "@tanstack/react-query";
import { Alert, Form, Select, Skeleton, Tag } from "antd";
import { get, post } from "@/kernel/api/client";
import { errorText } from "@/kernel/api/errors";
import { ActDialog } from "@/kernel/form";
import { useTranslation } from "@/kernel/i18n";
import { ErrorState, toast } from "@/kernel/ui";
import { type User, userName } from "./types";

interface Props {
  user: User | null;
  onDone: () => Promise<void>;
  onClose: () => void;
}

interface Values {
  roleIds: number[];
}

export interface RoleChoice {
  id: number;
  name: string;
  code: string;
  remark?: string;
}

export function useRoleChoices(enabled: boolean) {
  return useQuery({
    queryKey: ["ref", "/system/role/simple-list"],
    queryFn: ({ signal }) =>
      get<RoleChoice[]>("/system/role/simple-list", undefined, { silent: true, signal }),
    enabled,
    staleTime: 60_000,
    retry: false,
  });
}

/** Gives a user exactly the chosen roles; the server refuses what the giver does not hold. */
export function AssignRoles({ user, onDone, onClose }: Props) {
  const { t } = useTranslation("identity");
  const name = user ? userName(user) : "";
  const held = useQuery({
    queryKey: ["/system/permission", "user-roles", user?.id],
    queryFn: ({ signal }) =>
      get<number[]>("/system/permission/list-user-roles", { userId: user?.id }, { silent: true, signal }),
    enabled: user !== null,
    gcTime: 0,
    staleTime: 0,
    retry: false,
  });
  const submit = async ({ roleIds }: Values) => {
    await post("/system/permission/assign-user-role", { userId: user?.id, roleIds }, { silent: true });
    toast.success(t("user.rolesAssigned", { name }));
    await onDone();
  };
  const ready = held.data !== undefined;
  return (
    <ActDialog<Values>
      open={user !== null}
      title={t("user.rolesTitle", { name })}
      okText={t("user.rolesOk")}
      about={t("user.rolesAbout")}
      waiting={!ready}
      onSubmit={submit}
      onClose={onClose}
    >
      {held.error ? <ErrorState error={held.error} onRetry={() => void held.refetch()} /> : null}
      {!ready && !held.error ? <Skeleton active paragraph={{ rows: 1 }} /> : null}
      {ready ? (
        <Form.Item name="roleIds" label={t("user.roles")} initialValue={held.data}>
          <RoleSelect />
        </Form.Item>
      ) : null}
    </ActDialog>
  );
}

interface SelectProps {
  id?: string;
  value?: number[];
  onChange?: (ids: number[]) => void;
}

/** Chooses roles by name, with their codes. */
export function RoleSelect({ id, value, onChange }: SelectProps) {
  const roles = useRoleChoices(true);
  if (roles.error) return <Alert type="error" title={errorText(roles.error)} />;
  return (
    <Select<number[]>
      id={id}
      mode="multiple"
      value={value}
      onChange={onChange}
      loading={roles.isFetching}
      showSearch={{ optionFilterProp: "label" }}
      options={(roles.data ?? [])
        .filter((role) => role.code !== "student")
        .map((role) => ({ value: role.id, label: role.name, code: role.code }))}
      optionRender={({ data }) => (
        <>
          {data.label} <Tag>{data.code}</Tag>
        </>
      )}
      style={{ width: "100%" }}
    />
  );
}
