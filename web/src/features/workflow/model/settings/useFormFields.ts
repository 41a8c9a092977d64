import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { get } from "@/kernel/api/client";
import { read } from "../../form/dialect";
import { type Item, readItems } from "../../form/model";
import type { FieldChoice } from "./HookSection";

/** The fields of a form to choose from; those of rows by their way. None without a form. */
export function useFormFields(formId: number | null): FieldChoice[] {
  const { data } = useQuery({
    queryKey: ["/bpm/form", "fields", formId],
    queryFn: ({ signal }) =>
      get<{ fields: string[] }>("/bpm/form/get", { id: formId }, { silent: true, signal }),
    enabled: formId !== null,
    retry: false,
  });
  return useMemo(() => choices(readItems(data?.fields ?? []), "", ""), [data]);
}

function choices(items: readonly Item[], above: string, aboveLabel: string): FieldChoice[] {
  return items.flatMap((item) => {
    const name = read(item.raw, "name");
    if (typeof name !== "string") return choices(item.children, above, aboveLabel);
    const label = `${aboveLabel}${read(item.raw, "label") ?? name}`;
    const own = { value: `${above}${name}`, label };
    return [own, ...choices(item.children, `${above}${name}.`, `${label}·`)];
  });
}
