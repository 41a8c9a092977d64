import { Form, Input } from "antd";
import { useTranslation } from "@/kernel/i18n";
import { lengthOf } from "../shared/length";
import { REASON_MAX, REASON_MIN, RESULT_MAX, rules } from "./form";
import { useRefused } from "./refused";

const counted = (max: number) => ({ show: true, max, strategy: lengthOf });

/** Why this topic, and what shall come of it. */
export function ReasonFields() {
  const { t } = useTranslation("thesis");
  const refused = useRefused();
  return (
    <>
      <Form.Item
        name="reason"
        label={t("subject.reason")}
        required
        rules={[rules.reason, refused("reason")]}
        extra={t("subject.reasonHelp", { min: REASON_MIN })}
      >
        <Input.TextArea autoSize={{ minRows: 5, maxRows: 16 }} count={counted(REASON_MAX)} />
      </Form.Item>
      <Form.Item
        name="expectedResult"
        label={t("subject.expected")}
        rules={[rules.expectedResult, refused("expectedResult")]}
        extra={t("subject.expectedHelp")}
      >
        <Input.TextArea autoSize={{ minRows: 3, maxRows: 10 }} count={counted(RESULT_MAX)} />
      </Form.Item>
    </>
  );
}
