import { Alert, Button, Drawer, Flex, Form } from "antd";
import { useEffect, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { requiredMark } from "@/kernel/form/requiredMark";
import { formatTime } from "@/kernel/rules";
import { toast } from "@/kernel/ui/feedback";
import { confirmLeave, useUnsaved } from "@/kernel/ui/unsaved";
import { useMobile } from "@/kernel/ui/useMobile";
import { type BaseRow, type Entity, titleOf } from "./entity";
import { FormFields } from "./FormFields";
import type { FieldColumn } from "./options";
import { dropDraft } from "./useDraft";
import { useEntityForm } from "./useEntityForm";
import type { Values } from "./values";

const WIDE_FROM = 9;

interface Props<Row extends BaseRow> {
  entity: Entity;
  title?: string;
  columns: FieldColumn<Row>[];
  open: boolean;
  /** The row to edit, null to create. */
  row: Row | null;
  extraBody?: (values: Values, row: Row | null) => Values;
  onClose: () => void;
  onSaved?: () => void;
}

/** A drawer that creates or edits a row; server errors land on their fields. */
export function FormDrawer<Row extends BaseRow>(props: Props<Row>) {
  const { entity, columns, open, row, onClose, onSaved } = props;
  const { t } = useTranslation("kernel");
  const mobile = useMobile();
  const id = useId();
  const title = props.title ?? titleOf(entity);
  const fields = columns.filter((column) => column.form ?? column.field.input === true);
  const form = useEntityForm({ entity, columns: fields, open, row, title, extraBody: props.extraBody });
  const [dirty, setDirty] = useState(false);
  useUnsaved(open && dirty);
  useEffect(() => {
    if (!open) setDirty(false);
  }, [open]);

  const close = async () => {
    if (dirty && !(await confirmLeave())) return;
    dropDraft(form.draftName);
    onClose();
  };
  const submit = async () => {
    if (!(await form.submit())) return;
    toast.success(t(row ? "form.saved" : "form.created", { title }));
    setDirty(false);
    onSaved?.();
    onClose();
  };

  return (
    <Drawer
      open={open}
      onClose={() => void close()}
      mask={{ closable: false }}
      destroyOnHidden
      size={mobile ? "100%" : fields.length >= WIDE_FROM ? 720 : 480}
      title={t(row ? "action.editTitle" : "action.create", { title })}
      loading={form.loading}
      footer={
        <Flex gap={8} justify="end">
          <Button onClick={() => void close()}>{t("action.cancel")}</Button>
          <Button type="primary" htmlType="submit" form={id} loading={form.saving}>
            {row ? t("action.save") : t("action.create", { title })}
          </Button>
        </Flex>
      }
    >
      <Form
        id={id}
        form={form.form}
        layout="vertical"
        validateTrigger="onBlur"
        requiredMark={requiredMark}
        onValuesChange={() => setDirty(true)}
        onFinish={() => void submit()}
        onFinishFailed={form.explainMissing}
      >
        {form.draft ? (
          <Alert
            type="info"
            style={{ marginBottom: 16 }}
            title={t("form.draftFound", { time: formatTime(form.draft.at) })}
            action={
              <Flex gap={4}>
                <Button
                  size="small"
                  onClick={() => {
                    form.restoreDraft();
                    setDirty(true);
                  }}
                >
                  {t("form.draftRestore")}
                </Button>
                <Button size="small" type="text" onClick={form.discardDraft}>
                  {t("form.draftDrop")}
                </Button>
              </Flex>
            }
          />
        ) : null}
        {form.problem ? (
          <Alert type="error" role="alert" style={{ marginBottom: 16 }} title={form.problem} />
        ) : null}
        <FormFields columns={fields} row={row} />
      </Form>
    </Drawer>
  );
}
