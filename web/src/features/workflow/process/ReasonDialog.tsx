import { Form, Input } from "antd";
import { useOnce } from "@/kernel/api/useOnce";
import { ActDialog } from "@/kernel/form";
import { useTranslation } from "@/kernel/i18n";

interface Props {
  title: string;
  okText: string;
  about: string;
  label: string;
  /** The most characters. */
  max: number;
  required?: boolean;
  danger?: boolean;
  onSubmit: (reason: string, idempotencyKey: string) => Promise<void>;
  onClose: () => void;
}

/** Asks for the words that go with an act. */
export function ReasonDialog({ title, okText, about, label, max, required, danger, ...ends }: Props) {
  const { t } = useTranslation("kernel");
  const once = useOnce();
  const submit = async ({ reason = "" }: { reason?: string }) => {
    const text = reason.trim();
    await ends.onSubmit(text, once.keyOf(text));
    once.done();
  };
  return (
    <ActDialog<{ reason?: string }>
      open
      title={title}
      okText={okText}
      about={about}
      danger={danger}
      onSubmit={submit}
      onClose={ends.onClose}
    >
      <Form.Item
        name="reason"
        label={label}
        rules={[{ required, whitespace: required, message: t("form.required", { label }) }]}
      >
        <Input.TextArea maxLength={max} showCount autoSize={{ minRows: 3, maxRows: 8 }} />
      </Form.Item>
    </ActDialog>
  );
}
