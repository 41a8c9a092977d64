import { useMemo, useState } from "react";
import { useAccess } from "@/kernel/access";
import { type BaseRow, type ColumnSpec, entityOf, joinColumns, RefText } from "@/kernel/crud";
import { FormDrawer, OnDemand, usePrefetchedParts } from "@/kernel/crud/parts";
import { removeRows } from "@/kernel/crud/remove";
import { DictTag } from "@/kernel/dict";
import { t as text, useTranslation } from "@/kernel/i18n";
import { TimeText } from "@/kernel/ui";
import { ParentSelect } from "../tree/ParentSelect";
import { RowButtons } from "../tree/RowButtons";
import { TreePage } from "../tree/TreePage";
import type { TreeColumn } from "../tree/TreeTable";
import { useTreeList } from "../tree/useTreeList";

interface Dept extends BaseRow {
  name: string;
  parentId: number;
  sort: number;
  leaderUserId: number;
  phone: string;
  email: string;
  status: number;
  createTime: number;
}

const entity = entityOf("system/dept");

/** The units of the university as a tree. */
export default function DeptPage() {
  const { t } = useTranslation("identity");
  const access = useAccess();
  const list = useTreeList<Dept>(entity);
  usePrefetchedParts();
  const [form, setForm] = useState<{ open: boolean; row: Dept | null; parentId: number }>(closed);
  const may = (verb: string) => access.hasPermission([`${entity.permission}:${verb}`]);
  const create = (parentId: number) => setForm({ open: true, row: null, parentId });
  const edit = (row: Dept) => setForm({ open: true, row, parentId: row.parentId });
  const remove = async (row: Dept) => {
    const gone = await removeRows(entity, [row], (dept) => dept.name);
    if (gone.length > 0) await list.refresh();
  };
  const columns = useMemo(() => formColumns(list.rows, form.parentId), [list.rows, form.parentId]);
  const buttons = (row: Dept) => [
    ...(may("create") ? [{ key: "add", label: t("tree.addBelow"), onClick: () => create(row.id) }] : []),
    ...(may("update") ? [{ key: "edit", label: t("kernel:action.edit"), onClick: () => edit(row) }] : []),
    ...(may("delete")
      ? [
          {
            key: "remove",
            label: t("kernel:action.remove"),
            danger: true,
            locked: list.rows.some((other) => other.parentId === row.id) ? t("dept.hasBelow") : "",
            onClick: () => void remove(row),
          },
        ]
      : []),
  ];
  const acting = ["create", "update", "delete"].some(may);
  return (
    <>
      <TreePage<Dept>
        entity={entity}
        list={list}
        columns={tableColumns(t)}
        description={t("dept.about")}
        onCreate={may("create") ? () => create(0) : undefined}
        onOpen={(row) => may("update") && edit(row)}
        actions={acting ? (row) => <RowButtons name={row.name} buttons={buttons(row)} /> : undefined}
      />
      <OnDemand open={form.open}>
        <FormDrawer
          entity={entity}
          columns={columns}
          open={form.open}
          row={form.row}
          onClose={() => setForm((present) => ({ ...present, open: false }))}
        />
      </OnDemand>
    </>
  );
}

const closed = { open: false, row: null, parentId: 0 };

function tableColumns(t: (key: string) => string): TreeColumn<Dept>[] {
  return [
    { key: "name", title: t("dept.name"), width: 280, render: (row) => row.name },
    {
      key: "leader",
      title: t("dept.leader"),
      width: 140,
      render: (row) =>
        row.leaderUserId ? <RefText path="/system/user/simple-list" value={row.leaderUserId} /> : null,
    },
    {
      key: "status",
      title: t("dept.status"),
      width: 100,
      render: (row) => <DictTag type="common_status" value={row.status} />,
    },
    { key: "phone", title: t("dept.phone"), width: 140, render: (row) => row.phone },
    { key: "email", title: t("dept.email"), width: 200, render: (row) => row.email },
    { key: "sort", title: t("tree.sort"), width: 90, align: "right", render: (row) => row.sort },
    {
      key: "createTime",
      title: t("tree.created"),
      width: 160,
      render: (row) => <TimeText value={row.createTime} />,
    },
  ];
}

function formColumns(rows: readonly Dept[], parentId: number) {
  const columns: ColumnSpec<Dept>[] = [
    {
      name: "parentId",
      initial: parentId,
      input: ({ id, value, onChange, row }) => (
        <ParentSelect
          id={id}
          items={rows}
          self={row?.id}
          top={text("identity:dept.top")}
          value={value}
          onChange={onChange}
        />
      ),
    },
    { name: "name" },
    { name: "leaderUserId" },
    { name: "phone", half: true },
    { name: "email", half: true },
    { name: "sort", half: true, initial: 0, help: "identity:tree.sortHelp" },
    { name: "status", half: true, initial: 0 },
  ];
  return joinColumns(entity, columns);
}
