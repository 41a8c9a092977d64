import { Alert, Form, type FormInstance, Modal } from "antd";
import { type ReactNode, useEffect, useId, useState } from "react";
import { ApiError, errorText } from "@/kernel/api/errors";
import { i18n } from "@/kernel/i18n";
import { requiredMark } from "./requiredMark";

interface Props<Values extends object> {
  open: boolean;
  title: string;
  okText: string;
  /** What the act does and for whom, above the fields. */
  about?: ReactNode;
  initial?: Partial<Values>;
  width?: number;
  /** Nothing can be sent yet: the choices are still being fetched, or could not be. */
  waiting?: boolean;
  children: ReactNode;
  /** Rejects when the server refuses; the reason stands in the dialog. */
  onSubmit: (values: Values) => Promise<void>;
  onClose: () => void;
}

/** A small form for one act on one row; refusals land on their fields or above the form. */
export function ActDialog<Values extends object>(props: Props<Values>) {
  const { open, title, okText, about, initial, width, waiting, children, onSubmit, onClose } = props;
  // Prefixes the ids of the inputs: other forms of the page have fields of the same names.
  const id = useId();
  const [form] = Form.useForm<Values>();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState("");
  useEffect(() => {
    if (open) setProblem("");
  }, [open]);

  const submit = async (values: Values) => {
    setBusy(true);
    setProblem("");
    try {
      await onSubmit(values);
      onClose();
    } catch (error) {
      if (!showOnFields(form, error)) setProblem(errorText(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Modal
      open={open}
      title={title}
      okText={okText}
      cancelText={i18n.t("kernel:action.cancel")}
      okButtonProps={{ disabled: waiting }}
      confirmLoading={busy}
      mask={{ closable: false }}
      width={width}
      onOk={() => form.submit()}
      onCancel={onClose}
      destroyOnHidden
    >
      {about ? <p>{about}</p> : null}
      {problem ? <Alert type="error" role="alert" title={problem} style={{ marginBottom: 12 }} /> : null}
      <Form<Values>
        name={id}
        form={form}
        layout="vertical"
        requiredMark={requiredMark}
        validateTrigger="onBlur"
        initialValues={initial}
        preserve={false}
        onFinish={(values) => void submit(values)}
      >
        {children}
      </Form>
    </Modal>
  );
}

/** Puts refused fields under their inputs; false when the refusal names none of them. */
function showOnFields<Values extends object>(form: FormInstance<Values>, error: unknown): boolean {
  const named = error instanceof ApiError ? (error.fields ?? {}) : {};
  const known = Object.keys(form.getFieldsValue()).filter((name) => named[name]);
  type Names = Parameters<typeof form.setFields>[0];
  form.setFields(known.map((name) => ({ name, errors: [named[name] ?? ""] })) as Names);
  return known.length > 0;
}
