import { useQuery, useQueryClient } from "@tanstack/react-query";
import { get } from "@/kernel/api/client";
import { type BaseRow, entityOf, isConflict, titleOf, useSave } from "@/kernel/crud";
import { t } from "@/kernel/i18n";
import { confirmBox } from "@/kernel/ui";
import type { Design } from "./history";
import { writeItems } from "./model";

/** A form as the server keeps it. */
export interface ProcessForm extends BaseRow {
  name: string;
  conf: string;
  fields: string[];
  status: number;
  remark: string;
  createTime: number;
}

/** What is sent of a design. */
export interface StoredDesign {
  conf: string;
  fields: string[];
}

export const formEntity = entityOf("bpm/form");

export function storedOf({ conf, items }: Design): StoredDesign {
  return { conf, fields: writeItems(items) };
}

export function isSame(one: StoredDesign, other: StoredDesign): boolean {
  return one.conf === other.conf && JSON.stringify(one.fields) === JSON.stringify(other.fields);
}

const fetchForm = (id: number, signal?: AbortSignal) =>
  get<ProcessForm>("/bpm/form/get", { id }, { silent: true, signal });

/** The form that is designed; it is not fetched again behind the designer's back. */
export function useStoredForm(id: number) {
  return useQuery({
    queryKey: ["form-design", id],
    queryFn: ({ signal }) => fetchForm(id, signal),
    enabled: id > 0,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

interface SaveDesign {
  saving: boolean;
  /**
   * Sends the design with the version that was read. "stale" when somebody else saved first and
   * the designer wants to see that; "kept" when not; another refusal is thrown.
   */
  save: (form: ProcessForm, design: StoredDesign) => Promise<"saved" | "stale" | "kept">;
}

export function useSaveDesign(): SaveDesign {
  const client = useQueryClient();
  const { save, saving } = useSave(formEntity);
  return {
    saving,
    save: async (form, design) => {
      try {
        await save(design, form);
      } catch (error) {
        if (!isConflict(error)) throw error;
        return (await askReload()) ? "stale" : "kept";
      }
      const fresh = await fetchForm(form.id).catch(() => null);
      // A save of somebody else in between is met at the next one: the version stays the old one.
      if (fresh && isSame(fresh, design)) client.setQueryData(["form-design", form.id], fresh);
      return "saved";
    },
  };
}

function askReload(): Promise<boolean> {
  return confirmBox({
    title: t("kernel:form.conflictTitle"),
    content: t("kernel:form.conflict", { title: titleOf(formEntity) }),
    okText: t("kernel:form.conflictReload"),
    cancelText: t("kernel:form.conflictStay"),
  });
}
