import { LeftOutlined, RightOutlined } from "@ant-design/icons";
import { useQuery } from "@tanstack/react-query";
import { Button, Descriptions, Drawer, Flex, Tooltip } from "antd";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { get } from "@/kernel/api/client";
import { ErrorState } from "@/kernel/ui/states";
import { useMobile } from "@/kernel/ui/useMobile";
import { type BaseRow, can, type Entity, titleOf } from "./entity";
import { type FieldColumn, rowName } from "./options";
import { cellContent, columnLabel } from "./tableColumns";

interface Props<Row extends BaseRow> {
  entity: Entity;
  title?: string;
  columns: FieldColumn<Row>[];
  row: Row | null;
  rows: Row[];
  nameOf?: (row: Row) => string;
  onMove: (row: Row) => void;
  onClose: () => void;
  /** Acts of the header. */
  acts?: (row: Row) => ReactNode;
  extra?: (row: Row) => ReactNode;
}

/** One row in full; the arrows keep the order of the list. */
export function DetailDrawer<Row extends BaseRow>(props: Props<Row>) {
  const { entity, columns, row, rows, onMove, onClose, acts, extra } = props;
  const { t } = useTranslation("kernel");
  const mobile = useMobile();
  const full = useQuery({
    queryKey: [entity.path, "get", row?.id],
    queryFn: ({ signal }) => get<Row>(`${entity.path}/get`, { id: row?.id }, { silent: true, signal }),
    enabled: row !== null && can(entity, "get"),
    retry: false,
  });
  const shown = full.data ?? row;
  const index = row ? rows.findIndex((other) => other.id === row.id) : -1;
  const neighbour = (step: number, label: string, icon: ReactNode) => {
    const target = index < 0 ? undefined : rows[index + step];
    return (
      <Tooltip title={label}>
        <Button icon={icon} aria-label={label} disabled={!target} onClick={() => target && onMove(target)} />
      </Tooltip>
    );
  };
  const visible = columns.filter(
    (column) => column.detail ?? (column.table !== undefined || column.field.output),
  );
  return (
    <Drawer
      open={row !== null}
      onClose={onClose}
      size={mobile ? "100%" : 560}
      mask={{ closable: false }}
      title={
        shown ? rowName(shown, props.nameOf) : t("list.detail", { title: props.title ?? titleOf(entity) })
      }
      destroyOnHidden
      extra={
        <Flex gap={8}>
          {neighbour(-1, t("list.previous"), <LeftOutlined />)}
          {neighbour(1, t("list.next"), <RightOutlined />)}
          {shown && acts?.(shown)}
        </Flex>
      }
    >
      {full.error ? <ErrorState error={full.error} onRetry={() => void full.refetch()} /> : null}
      {shown && !full.error ? (
        <>
          <Descriptions
            column={1}
            items={visible.map((column) => ({
              key: column.name,
              label: columnLabel(column),
              children: cellContent(column, shown, false),
            }))}
          />
          {extra?.(shown)}
        </>
      ) : null}
    </Drawer>
  );
}
