import dayjs from "dayjs";
import { fetchBlob, saveBlob } from "@/kernel/api/client";
import { errorText } from "@/kernel/api/errors";
import { dictLabel } from "@/kernel/dict/store";
import { t } from "@/kernel/i18n";
import { toast } from "@/kernel/ui/feedback";
import { type Entity, fieldOf } from "./entity";
import type { Filters } from "./listState";

/** Exports the list with the filters it shows; the file name carries filters and date. */
export async function exportRows(
  entity: Entity,
  title: string,
  filters: Filters,
  query: Record<string, unknown>,
): Promise<void> {
  try {
    const blob = await fetchBlob(`${entity.path}/export-excel`, query, { silent: true });
    const name = exportName(entity, title, filters);
    saveBlob(blob, name);
    toast.success(t("kernel:list.exported", { name }));
  } catch (error) {
    console.error(error);
    toast.error(t("kernel:list.exportFailed", { reason: errorText(error) }), 5);
  }
}

export function exportName(entity: Entity, title: string, filters: Filters, now: Date = new Date()): string {
  const parts = Object.entries(filters).map(([name, value]) => {
    if (Array.isArray(value)) return value.filter(Boolean).join("~");
    const dict = fieldOf(entity, name)?.dict;
    return (dict && dictLabel(dict, value)) || value;
  });
  const safe = [title, ...parts, dayjs(now).format("YYYYMMDD-HHmm")]
    .join("_")
    .replace(/[\\/:*?"<>|\s]+/g, "-");
  return `${safe.slice(0, 120)}.xlsx`;
}
