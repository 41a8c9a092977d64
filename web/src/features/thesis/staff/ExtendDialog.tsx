import { DatePicker, Form, Input, Select } from "antd";
import dayjs, { type Dayjs } from "dayjs";
import { ActDialog } from "@/kernel/form";
import { useTranslation } from "@/kernel/i18n";
import { toast } from "@/kernel/ui";
import { stepCodes } from "../shared/wire";
import { extend, type ThesisRecord } from "./calls";

interface Values {
  stepCode: number;
  until: Dayjs;
  reason: string;
}

interface Props {
  record: ThesisRecord | null;
  onDone: () => Promise<void>;
  onClose: () => void;
}

/** Gives one student more time for one step. */
export function ExtendDialog({ record, onDone, onClose }: Props) {
  const { t } = useTranslation("thesis");
  const submit = async ({ stepCode, until, reason }: Values) => {
    if (!record) return;
    await extend(record.id, { stepCode, until: until.valueOf(), reason: reason.trim() });
    toast.success(t("record.extended", { name: record.studentName }));
    await onDone();
  };
  return (
    <ActDialog<Values>
      open={record !== null}
      title={t("record.extendTitle")}
      okText={t("record.extendOk")}
      about={t("record.extendAbout", { name: record?.studentName ?? "", no: record?.studentNo ?? "" })}
      initial={{ stepCode: record?.currentStep, until: dayjs().add(7, "day").hour(17).minute(0).second(0) }}
      onSubmit={submit}
      onClose={onClose}
    >
      <Form.Item name="stepCode" label={t("chart.step")} rules={[{ required: true }]}>
        <Select options={stepCodes.map((code) => ({ value: code, label: t(`step.${code}`) }))} />
      </Form.Item>
      <Form.Item
        name="until"
        label={t("record.until")}
        extra={t("record.untilHelp")}
        rules={[{ required: true, message: t("record.untilMissing") }]}
      >
        <DatePicker
          showTime={{ format: "HH:mm" }}
          format="YYYY-MM-DD HH:mm"
          minDate={dayjs()}
          style={{ width: "100%" }}
        />
      </Form.Item>
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
