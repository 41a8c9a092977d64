import { Form, Input } from "antd";
import type { ComponentProps } from "react";
import { useTranslation } from "@/kernel/i18n";
import { ReasonDialog as AskReason } from "../process/ReasonDialog";

/** As long as the audit trail keeps a reason. */
const MAX = 500;

/** The reason that every act of an administrator leaves in the audit trail. */
export function ReasonField() {
  const { t } = useTranslation("workflow");
  const label = t("operate.reason");
  return (
    <Form.Item
      name="reason"
      label={label}
      rules={[{ required: true, whitespace: true, message: t("kernel:form.required", { label }) }]}
    >
      <Input.TextArea maxLength={MAX} showCount autoSize={{ minRows: 3, maxRows: 8 }} />
    </Form.Item>
  );
}

type Props = Omit<ComponentProps<typeof AskReason>, "label" | "max" | "required">;

/** Asks for the reason of an act that needs nothing else. */
export function ReasonDialog(props: Props) {
  const { t } = useTranslation("workflow");
  return <AskReason {...props} label={t("operate.reason")} max={MAX} required />;
}
