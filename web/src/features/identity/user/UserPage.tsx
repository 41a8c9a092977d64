import { Button } from "antd";
import { lazy, Suspense, useMemo, useState } from "react";
import { type CrudOptions, CrudPage, type CrudPageHandle, useCrudPage } from "@/kernel/crud";
import { OnDemand } from "@/kernel/crud/parts";
import { useTranslation } from "@/kernel/i18n";
import { useSession } from "@/kernel/session";
import { useMobile } from "@/kernel/ui";
import { editFirst } from "../shared/editFirst";
import { userColumns } from "./columns";
import { entity, STUDENT, type User, userName } from "./types";
import "./user.css";

const AssignRoles = lazy(() => import("./dialogs").then((part) => ({ default: part.AssignRoles })));
const CreateUser = lazy(() => import("./dialogs").then((part) => ({ default: part.CreateUser })));
const DeptFilter = lazy(() => import("./DeptFilter").then((part) => ({ default: part.DeptFilter })));
const ResetPassword = lazy(() => import("./dialogs").then((part) => ({ default: part.ResetPassword })));
const UserImport = lazy(() => import("./dialogs").then((part) => ({ default: part.UserImport })));
const UserSessions = lazy(() => import("./dialogs").then((part) => ({ default: part.UserSessions })));

type Dialog =
  | { kind: "password" | "roles" | "sessions"; user: User }
  | { kind: "create" | "import"; user?: undefined }
  | null;

/** The accounts of the tenant: departments at the left, people at the right. */
export default function UserPage() {
  useTranslation("identity");
  const mobile = useMobile();
  const [dialog, setDialog] = useState<Dialog>(null);
  const options = useOptions(mobile, setDialog);
  const base = useCrudPage<User>(entity, options);
  const page = {
    ...base,
    actions: editFirst(base.actions),
    openForm: (row: User | null) => (row ? base.openForm(row) : setDialog({ kind: "create" })),
  };
  const { filters } = base.list.state;
  const deptId = Number(filters.deptId ?? 0);
  const chooseDept = (id: number) => {
    const { deptId: _, ...rest } = filters;
    base.list.setFilters(id ? { ...rest, deptId: String(id) } : rest);
  };
  const of = (kind: "password" | "roles" | "sessions") => (dialog?.kind === kind ? dialog.user : null);
  const close = () => setDialog(null);
  return (
    <div className="user-page">
      {mobile || !base.mayQuery ? null : (
        <Suspense fallback={<aside className="user-depts" />}>
          <DeptFilter value={deptId} onChange={chooseDept} />
        </Suspense>
      )}
      <div>
        <CrudPage page={page} options={options} name="system/user" />
      </div>
      <OnDemand open={dialog?.kind === "create"}>
        <CreateUser open={dialog?.kind === "create"} deptId={deptId} onDone={base.refresh} onClose={close} />
      </OnDemand>
      <OnDemand open={of("password") !== null}>
        <ResetPassword user={of("password")} onClose={close} />
      </OnDemand>
      <OnDemand open={of("roles") !== null}>
        <AssignRoles user={of("roles")} onDone={base.refresh} onClose={close} />
      </OnDemand>
      <OnDemand open={of("sessions") !== null}>
        <UserSessions user={of("sessions")} onClose={close} />
      </OnDemand>
      <OnDemand open={dialog?.kind === "import"}>
        <UserImport open={dialog?.kind === "import"} onClose={close} />
      </OnDemand>
    </div>
  );
}

function useOptions(mobile: boolean, show: (dialog: Dialog) => void): CrudOptions<User> {
  const { t } = useTranslation("identity");
  const selfId = useSession((state) => state.user?.id ?? 0);
  return useMemo(
    () => ({
      ns: "identity",
      description: "identity:user.about",
      nameOf: userName,
      without: ["import"],
      columns: userColumns({
        mobile,
        selfId,
        selfLocked: t("user.self"),
        disableWarning: t("user.disableWarning"),
      }),
      actions: [
        {
          key: "roles",
          label: "identity:user.assignRoles",
          permission: "system:permission:assign-user-role",
          hidden: (row) => row.type === STUDENT,
          run: (user) => show({ kind: "roles", user }),
        },
        {
          key: "password",
          label: "identity:user.reset",
          permission: "system:user:update-password",
          run: (user) => show({ kind: "password", user }),
        },
        {
          key: "sessions",
          label: "identity:user.sessions",
          permission: "system:oauth2-token:page",
          run: (user) => show({ kind: "sessions", user }),
        },
      ],
      toolbar: (page) => <ImportButton page={page} onClick={() => show({ kind: "import" })} />,
    }),
    [mobile, selfId, show, t],
  );
}

interface ImportProps {
  page: CrudPageHandle<User>;
  onClick: () => void;
}

function ImportButton({ page, onClick }: ImportProps) {
  const { t } = useTranslation("identity");
  if (!page.access.hasPermission(["system:user:import"])) return null;
  return <Button onClick={onClick}>{t("kernel:action.import")}</Button>;
}
