import { ArrowDownOutlined, ArrowUpOutlined } from "@ant-design/icons";
import { Button, Flex } from "antd";
import { useState } from "react";
import { put } from "@/kernel/api/client";
import { type BaseRow, type CrudOptions, CrudPage, entityOf, useCrudPage } from "@/kernel/crud";
import { useTranslation } from "@/kernel/i18n";

interface Category extends BaseRow {
  name: string;
  code: string;
  description: string;
  status: number;
  sort: number;
  createTime: number;
}

const name = "bpm/category";
const entity = entityOf(name);

const options: CrudOptions<Category> = {
  ns: "workflow",
  description: "workflow:category.about",
  columns: [
    { name: "name", search: true },
    { name: "code", search: true, help: "workflow:category.codeHelp" },
    { name: "sort", initial: 0, half: true, width: 120, help: "workflow:category.sortHelp" },
    { name: "status", search: true, initial: 0, half: true },
    { name: "description" },
    { name: "createTime", search: "range", optional: true },
  ],
};

/** Categories in the order in which processes are offered; arrows change it. */
export default function CategoryPage() {
  useTranslation("workflow");
  const page = useCrudPage<Category>(entity, options);
  const [moving, setMoving] = useState(false);
  // In another order than the stored one a neighbour is not who stands beside.
  const movable = page.allowed("update") && page.list.state.sort === null;

  const swap = async (row: Category, other: Category, up: boolean) => {
    setMoving(true);
    try {
      const ids = (up ? [row.id, other.id] : [other.id, row.id]).join(",");
      await put("/bpm/category/update-sort-batch", undefined, { query: { ids } });
      await page.refresh();
    } catch (error) {
      console.error(error);
    } finally {
      setMoving(false);
    }
  };
  const cell = (row: Category) => {
    const { rows } = page.list;
    const at = rows.findIndex(({ id }) => id === row.id);
    const above = rows[at - 1];
    const below = rows[at + 1];
    return (
      <Place
        name={row.name}
        place={row.sort}
        busy={moving}
        onUp={above && (() => void swap(row, above, true))}
        onDown={below && (() => void swap(row, below, false))}
      />
    );
  };
  const columns = page.columns.map((column) =>
    column.name === "sort" && movable
      ? { ...column, render: (_: unknown, row: Category) => cell(row) }
      : column,
  );
  return <CrudPage page={{ ...page, columns }} options={options} name={name} />;
}

interface PlaceProps {
  name: string;
  place: number;
  busy: boolean;
  /** Absent at the end of the list. */
  onUp?: () => void;
  onDown?: () => void;
}

function Place({ name, place, busy, onUp, onDown }: PlaceProps) {
  const { t } = useTranslation("workflow");
  return (
    <Flex gap={4} justify="end" align="center">
      {place}
      <Button
        type="text"
        size="small"
        icon={<ArrowUpOutlined />}
        disabled={busy || !onUp}
        aria-label={t("category.up", { name })}
        onClick={onUp}
      />
      <Button
        type="text"
        size="small"
        icon={<ArrowDownOutlined />}
        disabled={busy || !onDown}
        aria-label={t("category.down", { name })}
        onClick={onDown}
      />
    </Flex>
  );
}
