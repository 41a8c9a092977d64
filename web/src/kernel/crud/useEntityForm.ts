import { useQuery } from "@tanstack/react-query";
import { Form, type FormInstance } from "antd";
import { useEffect, useState } from "react";
import { get } from "@/kernel/api/client";
import { errorText } from "@/kernel/api/errors";
import { showRefusedFields } from "@/kernel/form/refusedFields";
import { t } from "@/kernel/i18n";
import { confirmBox } from "@/kernel/ui/feedback";
import { type BaseRow, can, type Entity } from "./entity";
import type { FieldColumn } from "./options";
import { columnLabel } from "./tableColumns";
import { type Draft, dropDraft, readDraft, useDraftOnSessionLost } from "./useDraft";
import { isConflict, useSave } from "./useSave";
import { bodyValues, formValues, type Values } from "./values";

interface Input<Row extends BaseRow> {
  entity: Entity;
  columns: FieldColumn<Row>[];
  open: boolean;
  row: Row | null;
  title: string;
  extraBody?: (values: Values, row: Row | null) => Values;
}

interface EntityForm {
  form: FormInstance<Values>;
  loading: boolean;
  saving: boolean;
  /** Why the last submission failed, when it belongs to no single field. */
  problem: string;
  draft: Draft<Values> | null;
  draftName: string;
  restoreDraft: () => void;
  discardDraft: () => void;
  /** Saves; false when something has to be changed first. */
  submit: () => Promise<boolean>;
  explainMissing: (info: { errorFields: { name: (string | number)[] }[] }) => void;
}

/** The state of a create or edit form: fresh values, draft, submission, field errors, conflicts. */
export function useEntityForm<Row extends BaseRow>(input: Input<Row>): EntityForm {
  const { entity, columns, open, row, title, extraBody } = input;
  const [form] = Form.useForm<Values>();
  const [problem, setProblem] = useState("");
  const [draft, setDraft] = useState<Draft<Values> | null>(null);
  const { save, saving } = useSave(entity);
  const fields = columns.map((column) => column.field);
  const draftName = `${entity.path}:${row?.id ?? "new"}`;
  const fetchFull = open && row !== null && can(entity, "get");
  const full = useQuery({
    queryKey: ["form", entity.path, row?.id],
    queryFn: ({ signal }) => get<Row>(`${entity.path}/get`, { id: row?.id }, { silent: true, signal }),
    enabled: fetchFull,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const original = row === null ? null : ((fetchFull ? full.data : row) ?? null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the fields follow from the entity; refilling would eat what is being typed
  useEffect(() => {
    if (!open) return;
    setProblem("");
    setDraft(readDraft<Values>(draftName));
    if (original) form.setFieldsValue(formValues(fields, original));
    else if (row === null) form.setFieldsValue(initialValues(columns));
  }, [open, original, draftName]);

  useDraftOnSessionLost(draftName, () =>
    open && form.isFieldsTouched() ? bodyValues(fields, form.getFieldsValue()) : null,
  );

  const showErrors = (error: unknown) => {
    const names = fields.map((field) => field.name);
    const [first] = showRefusedFields(form, error, names);
    if (first) form.scrollToField(first, { focus: true, block: "center" });
    setProblem(first ? "" : errorText(error));
  };
  const resolveConflict = async () => {
    const reload = await confirmBox({
      title: t("kernel:form.conflictTitle"),
      content: t("kernel:form.conflict", { title }),
      okText: t("kernel:form.conflictReload"),
      cancelText: t("kernel:form.conflictStay"),
    });
    if (reload) await full.refetch();
  };
  const submit = async () => {
    setProblem("");
    const values = bodyValues(fields, form.getFieldsValue());
    try {
      await save({ ...values, ...extraBody?.(values, row) }, original);
      dropDraft(draftName);
      return true;
    } catch (error) {
      if (isConflict(error)) await resolveConflict();
      else showErrors(error);
      return false;
    }
  };

  return {
    form,
    loading: fetchFull && full.isPending,
    saving,
    problem: full.error ? `${t("kernel:form.loadFailed")}：${errorText(full.error)}` : problem,
    draft,
    draftName,
    restoreDraft: () => {
      if (draft) form.setFieldsValue(formValues(fields, draft.values));
      setDraft(null);
      dropDraft(draftName);
    },
    discardDraft: () => {
      setDraft(null);
      dropDraft(draftName);
    },
    submit,
    explainMissing: ({ errorFields }) => {
      const names = errorFields.map((item) => String(item.name[0]));
      const labels = columns.filter((column) => names.includes(column.name)).map(columnLabel);
      setProblem(t("kernel:form.missing", { count: labels.length, names: labels.join("、") }));
      const first = columns.find((column) => names.includes(column.name));
      if (first) form.scrollToField(first.name, { focus: true, block: "center" });
    },
  };
}

function initialValues<Row extends BaseRow>(columns: FieldColumn<Row>[]): Values {
  return Object.fromEntries(
    columns.filter((column) => column.initial !== undefined).map((column) => [column.name, column.initial]),
  );
}
