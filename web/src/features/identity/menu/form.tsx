import { Segmented, type SegmentedProps } from "antd";
import { type ColumnSpec, type Entity, entityOf, joinColumns } from "@/kernel/crud";
import { dictEntries } from "@/kernel/dict";
import { t } from "@/kernel/i18n";
import { isExternalLink } from "@/kernel/rules";
import { ParentSelect } from "../tree/ParentSelect";
import { IconPicker } from "./IconPicker";
import { BUTTON, DIRECTORY, type Menu, PAGE } from "./types";

export const entity: Entity = entityOf("system/menu");

interface Input {
  rows: readonly Menu[];
  type: number;
  onType: (type: number) => void;
  parentId: number;
}

/** The form's fields for a kind of menu: a button has neither address nor icon. */
export function formColumns({ rows, type, onType, parentId }: Input) {
  const places = rows.filter((row) => row.type !== BUTTON);
  const routed = type !== BUTTON;
  const columns: ColumnSpec<Menu>[] = [
    {
      name: "type",
      initial: type,
      input: ({ id, value, onChange }) => (
        <TypeChoice
          id={id}
          value={value}
          onChange={(next) => {
            onType(next);
            onChange?.(next);
          }}
        />
      ),
    },
    {
      name: "parentId",
      initial: parentId,
      input: ({ id, value, onChange, row }) => (
        <ParentSelect
          id={id}
          items={places}
          self={row?.id}
          top={t("identity:menu.top")}
          value={value}
          onChange={onChange}
        />
      ),
    },
    { name: "name", half: true },
    { name: "nameEn", half: true },
    ...(routed ? routedColumns(type) : []),
    ...(type === DIRECTORY ? [] : [{ name: "permission", help: "identity:menu.permissionHelp" } as const]),
    { name: "sort", half: true, initial: 0, help: "identity:tree.sortHelp" },
    { name: "status", half: true, initial: 0, help: "identity:menu.statusHelp" },
    ...(routed ? switchColumns(type) : []),
  ];
  return joinColumns(withRequiredPath, columns);
}

/** The address is required for everything that has one. */
const withRequiredPath: Entity = {
  ...entity,
  fields: entity.fields.map((field) => (field.name === "path" ? { ...field, required: true } : field)),
};

function routedColumns(type: number): ColumnSpec<Menu>[] {
  const columns: ColumnSpec<Menu>[] = [
    {
      name: "icon",
      half: true,
      input: ({ id, value, onChange }) => <IconPicker id={id} value={value} onChange={onChange} />,
    },
    { name: "path", half: true, help: "identity:menu.pathHelp" },
  ];
  if (type !== PAGE) return columns;
  return [
    ...columns,
    { name: "component", half: true, help: "identity:menu.componentHelp" },
    { name: "componentName", half: true, help: "identity:menu.componentNameHelp" },
  ];
}

function switchColumns(type: number): ColumnSpec<Menu>[] {
  return [
    { name: "visible", half: true, initial: true, help: "identity:menu.visibleHelp" },
    ...(type === PAGE
      ? [{ name: "keepAlive", half: true, initial: true, help: "identity:menu.keepAliveHelp" } as const]
      : []),
    { name: "alwaysShow", half: true, initial: true, help: "identity:menu.alwaysShowHelp" },
  ];
}

interface TypeProps {
  id?: string;
  value?: unknown;
  onChange: (type: number) => void;
}

function TypeChoice({ id, value, onChange }: TypeProps) {
  const options: SegmentedProps<number>["options"] = [DIRECTORY, PAGE, BUTTON].map((type) => ({
    value: type,
    label: typeName(type),
  }));
  return <Segmented<number> id={id} block value={Number(value)} options={options} onChange={onChange} />;
}

export function typeName(type: number): string {
  const entry = dictEntries("system_menu_type").find((item) => item.value === String(type));
  return entry?.label ?? t(`identity:menu.type.${type}`);
}

/** The whole address of a menu, as the browser shows it. */
export function fullPath(row: Menu, rows: ReadonlyMap<number, Menu>): string {
  if (row.type === BUTTON || isExternalLink(row.path) || row.path.startsWith("/")) return row.path;
  const parent = rows.get(row.parentId);
  return `${parent ? fullPath(parent, rows) : ""}/${row.path}`;
}
