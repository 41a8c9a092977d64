import { Alert, Button, Tag } from "antd";
import { useMemo, useState } from "react";
import { useAccess } from "@/kernel/access";
import { FormDrawer, OnDemand, usePrefetchedParts } from "@/kernel/crud/parts";
import { removeRows } from "@/kernel/crud/remove";
import { DictTag } from "@/kernel/dict";
import { useTranslation } from "@/kernel/i18n";
import { loadSession } from "@/kernel/session";
import { Icon, toast } from "@/kernel/ui";
import { RowButtons } from "../tree/RowButtons";
import { TreePage } from "../tree/TreePage";
import type { TreeColumn } from "../tree/TreeTable";
import { useTreeList } from "../tree/useTreeList";
import { entity, formColumns, fullPath } from "./form";
import { BUTTON, DIRECTORY, type Menu, PAGE } from "./types";
import "./menu.css";

interface FormState {
  open: boolean;
  row: Menu | null;
  parentId: number;
  type: number;
}

/** The menus of the application and the permissions behind them, shared by all tenants. */
export default function MenuPage() {
  const { t } = useTranslation("identity");
  const access = useAccess();
  const list = useTreeList<Menu>(entity);
  usePrefetchedParts();
  const [form, setForm] = useState<FormState>({ open: false, row: null, parentId: 0, type: DIRECTORY });
  const [changed, setChanged] = useState(false);
  const may = (verb: string) => access.hasPermission([`${entity.permission}:${verb}`]);
  const create = (parent: Menu | null) =>
    setForm({ open: true, row: null, parentId: parent?.id ?? 0, type: kindBelow(parent) });
  const edit = (row: Menu) => setForm({ open: true, row, parentId: row.parentId, type: row.type });
  const remove = async (row: Menu) => {
    const gone = await removeRows(entity, [row], (menu) => menu.name);
    if (gone.length === 0) return;
    setChanged(true);
    await list.refresh();
  };
  const columns = useMemo(
    () =>
      formColumns({
        rows: list.rows,
        type: form.type,
        onType: (type) => setForm((present) => ({ ...present, type })),
        parentId: form.parentId,
      }),
    [list.rows, form.type, form.parentId],
  );
  const buttons = (row: Menu) => [
    ...(may("create") && row.type !== BUTTON
      ? [{ key: "add", label: t("tree.addBelow"), onClick: () => create(row) }]
      : []),
    ...(may("update") ? [{ key: "edit", label: t("kernel:action.edit"), onClick: () => edit(row) }] : []),
    ...(may("delete")
      ? [
          {
            key: "remove",
            label: t("kernel:action.remove"),
            danger: true,
            locked: list.rows.some((other) => other.parentId === row.id) ? t("menu.hasBelow") : "",
            onClick: () => void remove(row),
          },
        ]
      : []),
  ];
  const acting = ["create", "update", "delete"].some(may);
  return (
    <>
      <TreePage<Menu>
        entity={entity}
        list={list}
        columns={useTableColumns(list.rows)}
        description={t("menu.about")}
        notice={changed ? <RefreshHint onDone={() => setChanged(false)} /> : null}
        onCreate={may("create") ? () => create(null) : undefined}
        onOpen={(row) => may("update") && edit(row)}
        actions={acting ? (row) => <RowButtons name={row.name} buttons={buttons(row)} /> : undefined}
      />
      <OnDemand open={form.open}>
        <FormDrawer
          entity={entity}
          columns={columns}
          open={form.open}
          row={form.row}
          onSaved={() => setChanged(true)}
          onClose={() => setForm((present) => ({ ...present, open: false }))}
        />
      </OnDemand>
    </>
  );
}

function kindBelow(parent: Menu | null): number {
  if (!parent) return DIRECTORY;
  return parent.type === PAGE ? BUTTON : PAGE;
}

/** People who are signed in see changed menus after a reload; the user may do it here for himself. */
function RefreshHint({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation("identity");
  const [busy, setBusy] = useState(false);
  const refresh = async () => {
    setBusy(true);
    try {
      await loadSession();
      toast.success(t("menu.refreshed"));
      onDone();
    } catch {
      toast.error(t("menu.refreshFailed"));
      setBusy(false);
    }
  };
  return (
    <Alert
      type="info"
      showIcon
      role="status"
      title={t("menu.changed")}
      style={{ marginBottom: 16 }}
      action={
        <Button size="small" loading={busy} onClick={() => void refresh()}>
          {t("menu.refresh")}
        </Button>
      }
    />
  );
}

function useTableColumns(rows: readonly Menu[]): TreeColumn<Menu>[] {
  const { t, i18n } = useTranslation("identity");
  const english = i18n.language === "en";
  return useMemo(() => {
    const byId = new Map(rows.map((row) => [row.id, row]));
    return [
      {
        key: "name",
        title: t("menu.name"),
        width: 280,
        render: (row) => (
          <span className="menu-name">
            {row.icon ? <Icon name={row.icon} /> : null}
            {(english && row.nameEn) || row.name}
            {row.visible || row.type === BUTTON ? null : <Tag>{t("menu.hidden")}</Tag>}
          </span>
        ),
      },
      {
        key: "type",
        title: t("menu.kind"),
        width: 90,
        render: (row) => <DictTag type="system_menu_type" value={row.type} />,
      },
      { key: "permission", title: t("menu.permission"), width: 240, render: (row) => row.permission },
      {
        key: "status",
        title: t("menu.status"),
        width: 90,
        render: (row) => <DictTag type="common_status" value={row.status} />,
      },
      { key: "path", title: t("menu.path"), width: 240, render: (row) => fullPath(row, byId) },
      { key: "component", title: t("menu.component"), width: 240, render: (row) => row.component },
      { key: "sort", title: t("tree.sort"), width: 80, align: "right", render: (row) => row.sort },
    ];
  }, [rows, t, english]);
}
