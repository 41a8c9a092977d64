import type { BaseRow, CrudPageHandle } from "@/kernel/crud";
import { useTranslation } from "@/kernel/i18n";
import { CategorySelect } from "./CategorySelect";

/** Narrows a list to the processes of one category; the choice lives in the address. */
export function CategoryFilter<Row extends BaseRow>({ page }: { page: CrudPageHandle<Row> }) {
  const { t } = useTranslation("workflow");
  const { category = "", ...rest } = page.list.state.filters;
  return (
    <CategorySelect
      aria-label={t("model.categoryFilter")}
      placeholder={t("model.allCategories")}
      value={String(category)}
      onChange={(next) => page.list.setFilters(next ? { ...rest, category: next } : rest)}
      style={{ width: 160 }}
    />
  );
}
