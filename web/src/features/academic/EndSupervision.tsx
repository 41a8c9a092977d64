import { Form, Input } from "antd";
import { ActDialog } from "@/kernel/form";
import { useTranslation } from "@/kernel/i18n";
import { toast } from "@/kernel/ui";
import { endSupervision } from "./calls";

interface Props {
  id: number;
  student: string;
  advisor: string;
  onDone: () => Promise<void>;
  onClose: () => void;
}

/** Ends a relation today; its history stays. */
export function EndSupervision({ id, student, advisor, onDone, onClose }: Props) {
  const { t } = useTranslation("academic");
  const submit = async ({ reason }: { reason: string }) => {
    await endSupervision(id, reason.trim());
    toast.success(t("supervision.ended", { name: `${student} – ${advisor}` }));
    await onDone();
  };
  return (
    <ActDialog<{ reason: string }>
      open
      danger
      title={t("supervision.endTitle")}
      okText={t("supervision.endOk")}
      about={t("supervision.endAbout", { student, advisor })}
      onSubmit={submit}
      onClose={onClose}
    >
      <Form.Item
        name="reason"
        label={t("supervision.reason")}
        rules={[{ required: true, whitespace: true, min: 2, message: t("supervision.reasonMissing") }]}
      >
        <Input.TextArea autoSize={{ minRows: 2, maxRows: 4 }} maxLength={200} showCount />
      </Form.Item>
    </ActDialog>
  );
}
