import { lazy, useMemo, useState } from "react";
import { type ColumnSpec, type CrudOptions, CrudPage, useCrudPage } from "@/kernel/crud";
import { OnDemand } from "@/kernel/crud/parts";
import { t as text, useTranslation } from "@/kernel/i18n";
import { editFirst } from "../shared/editFirst";
import { StatusSwitch } from "../shared/StatusSwitch";
import { ASSIGN_MENU, ASSIGN_SCOPE, BUILT_IN, entity, fixedRoles, type Role } from "./types";
import "./role.css";

const MenuGrant = lazy(() => import("./dialogs").then((part) => ({ default: part.MenuGrant })));
const DataScope = lazy(() => import("./dialogs").then((part) => ({ default: part.DataScope })));

type Dialog = { kind: "menus" | "scope"; role: Role } | null;

const builtIn = (role: Role) => (role.type === BUILT_IN ? text("identity:role.builtIn") : "");
const fixed = (role: Role) => (fixedRoles.includes(role.code) ? text("identity:role.fixed") : "");

const columns: ColumnSpec<Role>[] = [
  { name: "name", search: true, half: true },
  { name: "code", search: true, half: true, help: "identity:role.codeHelp" },
  { name: "type", form: false, width: 90 },
  { name: "dataScope", form: false, width: 180 },
  { name: "sort", half: true, initial: 0, width: 90, help: "identity:tree.sortHelp" },
  {
    name: "status",
    search: true,
    half: true,
    initial: 0,
    render: (_, row) => (
      <StatusSwitch
        entity={entity.path}
        permission="system:role:update"
        row={row}
        name={row.name}
        locked={builtIn(row)}
        warning={text("identity:role.disableWarning")}
      />
    ),
  },
  { name: "remark", optional: true },
  { name: "createTime", search: "range" },
];

function optionsOf(show: (dialog: Dialog) => void): CrudOptions<Role> {
  return {
    ns: "identity",
    description: "identity:role.about",
    columns,
    locked: builtIn,
    actions: [
      {
        key: "menus",
        label: "identity:role.menus",
        permission: ASSIGN_MENU,
        locked: fixed,
        run: (role) => show({ kind: "menus", role }),
      },
      {
        key: "scope",
        label: "identity:role.scope",
        permission: ASSIGN_SCOPE,
        locked: fixed,
        run: (role) => show({ kind: "scope", role }),
      },
    ],
  };
}

/** Roles: what their holders may do, and whose rows they see. */
export default function RolePage() {
  useTranslation("identity");
  const [dialog, setDialog] = useState<Dialog>(null);
  const options = useMemo(() => optionsOf(setDialog), []);
  const page = useCrudPage<Role>(entity, options);
  const of = (kind: "menus" | "scope") => (dialog?.kind === kind ? dialog.role : null);
  const close = () => setDialog(null);
  return (
    <>
      <CrudPage page={{ ...page, actions: editFirst(page.actions) }} options={options} name="system/role" />
      <OnDemand open={of("menus") !== null}>
        <MenuGrant role={of("menus")} onClose={close} />
      </OnDemand>
      <OnDemand open={of("scope") !== null}>
        <DataScope role={of("scope")} onDone={page.refresh} onClose={close} />
      </OnDemand>
    </>
  );
}
