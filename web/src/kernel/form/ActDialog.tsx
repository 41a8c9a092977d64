import { Alert, Form, type FormInstance, Modal } from "antd";
import { type ReactNode, useId, useState } from "react";
import { errorText } from "@/kernel/api/errors";
import { i18n } from "@/kernel/i18n";
import { showRefusedFields } from "./refusedFields";
import { requiredMark } from "./requiredMark";

interface FormProps<Values extends object> {
  /** What the act does and for whom, above the fields. */
  about?: ReactNode;
  initial?: Partial<Values>;
  /** The fields; a function gets the form. */
  children: ReactNode | ((form: FormInstance<Values>) => ReactNode);
  /** Rejects when the server refuses; the reason stands in the dialog. */
  onSubmit: (values: Values) => Promise<void>;
  onClose: () => void;
}

interface Props<Values extends object> extends FormProps<Values> {
  open: boolean;
  title: string;
  okText: string;
  danger?: boolean;
  width?: number;
  /** Nothing can be sent yet: the choices are still being fetched, or could not be. */
  waiting?: boolean;
}

/** A small form for one act; refusals land on their fields or above the form. */
export function ActDialog<Values extends object>(props: Props<Values>) {
  const { open, title, okText, danger, width, waiting, ...form } = props;
  const id = useId();
  const [busy, setBusy] = useState(false);
  return (
    <Modal
      open={open}
      title={title}
      okText={okText}
      cancelText={i18n.t("kernel:action.cancel")}
      okButtonProps={{ danger, disabled: waiting, htmlType: "submit", form: id }}
      confirmLoading={busy}
      mask={{ closable: false }}
      width={width}
      onCancel={form.onClose}
      destroyOnHidden
    >
      <ActForm id={id} onBusy={setBusy} {...form} />
    </Modal>
  );
}

interface InnerProps<Values extends object> extends FormProps<Values> {
  id: string;
  onBusy: (busy: boolean) => void;
}

/** Lives as long as the dialog is open: every opening begins afresh. */
function ActForm<Values extends object>(props: InnerProps<Values>) {
  const { id, about, initial, children, onSubmit, onClose, onBusy } = props;
  const [form] = Form.useForm<Values>();
  const [problem, setProblem] = useState("");
  const submit = async (values: Values) => {
    onBusy(true);
    setProblem("");
    try {
      await onSubmit(values);
      onClose();
    } catch (error) {
      if (showRefusedFields(form, error).length === 0) setProblem(errorText(error));
    } finally {
      onBusy(false);
    }
  };
  return (
    <>
      {about ? <p>{about}</p> : null}
      {problem ? <Alert type="error" role="alert" title={problem} style={{ marginBottom: 12 }} /> : null}
      <Form<Values>
        id={id}
        name={id}
        form={form}
        layout="vertical"
        requiredMark={requiredMark}
        validateTrigger="onBlur"
        initialValues={initial}
        onFinish={(values) => void submit(values)}
      >
        {typeof children === "function" ? children(form) : children}
      </Form>
    </>
  );
}
