import { del } from "@/kernel/api/client";
import { errorText } from "@/kernel/api/errors";
import { t } from "@/kernel/i18n";
import { confirmBox, toast } from "@/kernel/ui/feedback";
import type { BaseRow, Entity } from "./entity";

/**
 * Asks, then deletes the rows one call each; what could not be deleted is told with its reason.
 * Resolves to the rows that are gone.
 */
export async function removeRows<Row extends BaseRow>(
  entity: Entity,
  rows: Row[],
  nameOf: (row: Row) => string,
): Promise<Row[]> {
  const [only] = rows;
  if (!only) return [];
  const content =
    rows.length === 1
      ? t("kernel:list.removeOne", { name: nameOf(only) })
      : t("kernel:list.removeMany", { count: rows.length });
  if (!(await confirmBox({ content, okText: t("kernel:action.remove"), danger: true }))) return [];
  const gone: Row[] = [];
  let reason = "";
  for (const row of rows) {
    try {
      await del<boolean>(`${entity.path}/delete`, { id: row.id }, { silent: true });
      gone.push(row);
    } catch (error) {
      reason ||= errorText(error);
    }
  }
  const failed = rows.length - gone.length;
  if (failed === 0) toast.success(t("kernel:list.removed", { count: gone.length }));
  else toast.error(t("kernel:list.removedPartly", { done: gone.length, failed, reason }), 5);
  return gone;
}
