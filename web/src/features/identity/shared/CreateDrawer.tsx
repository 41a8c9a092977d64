import { Alert, Button, Drawer, Flex, Form } from "antd";
import { type ReactNode, useCallback, useEffect, useId, useRef, useState } from "react";
import { post } from "@/kernel/api/client";
import { errorText } from "@/kernel/api/errors";
import { type BaseRow, type ColumnSpec, type Entity, type joinColumns, titleOf } from "@/kernel/crud";
import { FormFields } from "@/kernel/crud/FormFields";
import { bodyValues, type Values } from "@/kernel/crud/values";
import { requiredMark, showRefusedFields } from "@/kernel/form";
import { useTranslation } from "@/kernel/i18n";
import { randomId } from "@/kernel/rules";
import { confirmLeave, toast, useMobile, useUnsaved } from "@/kernel/ui";

interface Props<Row extends BaseRow> {
  entity: Entity;
  columns: ReturnType<typeof joinColumns<Row>>;
  /** Members of the body that are no fields of the entity, such as a first password. */
  more: readonly string[];
  open: boolean;
  initial?: Values;
  /** The inputs of `more`, below the described fields. */
  children: ReactNode;
  /** What follows the creation, e.g. giving roles to the new account. */
  onCreated?: (id: number, values: Values) => Promise<void>;
  onDone: () => Promise<void>;
  onClose: () => void;
}

/** Creates a row whose body holds more than the entity's fields. */
export function CreateDrawer<Row extends BaseRow>(props: Props<Row>) {
  const { entity, columns, open, initial, children, onClose } = props;
  const { t } = useTranslation("identity");
  const mobile = useMobile();
  const id = useId();
  const [form] = Form.useForm<Values>();
  const [dirty, setDirty] = useState(false);
  const { save, busy, problem, forget } = useCreate(props, form);
  const title = t("kernel:action.create", { title: titleOf(entity) });
  useUnsaved(open && dirty);
  useEffect(() => {
    if (!open) return;
    setDirty(false);
    forget();
  }, [open, forget]);
  const close = async () => {
    if (!dirty || (await confirmLeave())) onClose();
  };
  const submit = async () => {
    if (await save()) onClose();
  };
  return (
    <Drawer
      open={open}
      onClose={() => void close()}
      mask={{ closable: false }}
      destroyOnHidden
      size={mobile ? "100%" : 720}
      title={title}
      footer={
        <Flex gap={8} justify="end">
          <Button onClick={() => void close()}>{t("kernel:action.cancel")}</Button>
          <Button type="primary" htmlType="submit" form={id} loading={busy}>
            {title}
          </Button>
        </Flex>
      }
    >
      <Form<Values>
        id={id}
        name={id}
        form={form}
        layout="vertical"
        requiredMark={requiredMark}
        validateTrigger="onBlur"
        preserve={false}
        initialValues={{ ...initialOf(columns), ...initial }}
        scrollToFirstError={{ focus: true, block: "center" }}
        onValuesChange={() => setDirty(true)}
        onFinish={() => void submit()}
      >
        {problem ? <Alert type="error" role="alert" style={{ marginBottom: 16 }} title={problem} /> : null}
        <FormFields columns={columns} row={null} />
        {children}
      </Form>
    </Drawer>
  );
}

function initialOf<Row extends BaseRow>(columns: ColumnSpec<Row>[]): Values {
  return Object.fromEntries(
    columns.filter((column) => column.initial !== undefined).map((column) => [column.name, column.initial]),
  );
}

type CreateForm = ReturnType<typeof Form.useForm<Values>>[0];

/** Sends the form; the same content sent again carries the same idempotency key. */
function useCreate<Row extends BaseRow>(props: Props<Row>, form: CreateForm) {
  const { entity, columns, more, onCreated, onDone } = props;
  const { t } = useTranslation("identity");
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState("");
  const sent = useRef({ content: "", key: "" });
  const fields = columns.map((column) => column.field);
  const send = async () => {
    const values = form.getFieldsValue(true) as Values;
    const extra = Object.fromEntries(more.map((name) => [name, values[name]]));
    const body = { ...bodyValues(fields, values), ...extra };
    const content = JSON.stringify(body);
    if (sent.current.content !== content) sent.current = { content, key: randomId(32) };
    const opts = { silent: true, idempotencyKey: sent.current.key };
    const id = await post<number>(`${entity.path}/create`, body, opts);
    sent.current = { content: "", key: "" };
    toast.success(t("kernel:form.created", { title: titleOf(entity) }));
    await onCreated?.(id, values);
  };
  const showErrors = (error: unknown) => {
    const [first] = showRefusedFields(form, error, [...fields.map((field) => field.name), ...more]);
    if (first) form.scrollToField(first, { focus: true, block: "center" });
    else setProblem(errorText(error));
  };
  const save = async () => {
    setBusy(true);
    setProblem("");
    try {
      await send();
      await onDone();
      return true;
    } catch (error) {
      showErrors(error);
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { save, busy, problem, forget: useCallback(() => setProblem(""), []) };
}
