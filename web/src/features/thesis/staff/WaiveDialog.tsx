import { Form, Input } from "antd";
import { ActDialog } from "@/kernel/form";
import { useTranslation } from "@/kernel/i18n";
import { toast } from "@/kernel/ui";
import { type ThesisRecord, waive } from "./calls";

interface Props {
  record: ThesisRecord | null;
  onDone: () => Promise<void>;
  onClose: () => void;
}

/** Excuses one student from the current step. */
export function WaiveDialog({ record, onDone, onClose }: Props) {
  const { t } = useTranslation("thesis");
  const step = record ? t(`step.${record.currentStep}`) : "";
  const submit = async ({ reason }: { reason: string }) => {
    if (!record) return;
    await waive(record.id, record.currentStep, reason.trim());
    toast.success(t("record.waived", { name: record.studentName, step }));
    await onDone();
  };
  return (
    <ActDialog<{ reason: string }>
      open={record !== null}
      danger
      title={t("record.waiveTitle", { step })}
      okText={t("record.waiveOk")}
      about={t("record.waiveAbout", { name: record?.studentName ?? "", step })}
      onSubmit={submit}
      onClose={onClose}
    >
      <Form.Item
        name="reason"
        label={t("record.reason")}
        rules={[{ required: true, whitespace: true, min: 5, message: t("record.reasonMissing") }]}
      >
        <Input.TextArea autoSize={{ minRows: 2, maxRows: 4 }} maxLength={200} showCount />
      </Form.Item>
    </ActDialog>
  );
}
