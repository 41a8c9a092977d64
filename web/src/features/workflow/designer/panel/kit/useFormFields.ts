import { useQuery } from "@tanstack/react-query";
import { get } from "@/kernel/api/client";
import { fieldOf } from "../../../form/field";
import { isInput } from "../../../form/kinds";
import { allItems, readItems } from "../../../form/model";
import { fieldsOf, labelOf } from "./formField";
import { children, processOf, type Scope, text, vendor } from "./scope";
import type { ModdleElement } from "./wire";

/** A field that a step may read or write. */
export interface FormField {
  id: string;
  label: string;
}

interface StoredForm {
  fields: string[];
}

/** The number of the form record a model or an element names. */
const recordOf = (key: string) => (/^[1-9]\d*$/.test(key) ? Number(key) : undefined);

function useRecord(id: number | undefined): FormField[] {
  const { data } = useQuery({
    queryKey: ["bpm-form-fields", id],
    queryFn: ({ signal }) => get<StoredForm>("/bpm/form/get", { id }, { silent: true, signal }),
    enabled: id !== undefined,
    staleTime: 60_000,
    retry: false,
  });
  return allItems(readItems(data?.fields ?? []))
    .map(fieldOf)
    .flatMap(({ kind, name, label }) => (isInput(kind) && name ? [{ id: name, label: label || name }] : []));
}

/** The form record of a stored model. */
function useModelForm(scope: Scope): number | undefined {
  const id = scope.model?.id;
  const { data } = useQuery({
    queryKey: ["bpm-model-form", id],
    queryFn: ({ signal }) =>
      get<{ formType: number | null; formId: number | null }>(
        "/bpm/model/get",
        { id },
        { silent: true, signal },
      ),
    enabled: id !== undefined,
    staleTime: 60_000,
    retry: false,
  });
  return data?.formType === 10 ? (data.formId ?? undefined) : undefined;
}

/** The fields of the forms around a step: of its own, of the start and of the model. */
export function useFormFields(scope: Scope): FormField[] {
  const process = processOf(scope.bo);
  const start = children(process, "flowElements").find((one) => one.$type === "bpmn:StartEvent");
  const keyOf = (of: ModdleElement | undefined) => (of ? text(of, vendor(scope, "formKey")) : "");
  const own = useRecord(recordOf(keyOf(scope.bo)));
  const ofStart = useRecord(recordOf(keyOf(start)));
  const ofModel = useRecord(useModelForm(scope));
  const inFile = [start, scope.bo].flatMap((of) =>
    of
      ? fieldsOf(scope, of).map((field) => ({
          id: text(field, "id"),
          label: labelOf(field) || text(field, "id"),
        }))
      : [],
  );
  const byId = new Map([...inFile, ...ofModel, ...ofStart, ...own].map((field) => [field.id, field]));
  return [...byId.values()];
}
