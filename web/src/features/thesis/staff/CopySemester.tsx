import { Form, InputNumber } from "antd";
import { DictSelect } from "@/kernel/dict";
import { ActDialog } from "@/kernel/form";
import { useTranslation } from "@/kernel/i18n";
import { toast } from "@/kernel/ui";
import { copySemester } from "./calls";

interface Values {
  from: string;
  to: string;
  shiftDays: number;
}

interface Props {
  open: boolean;
  onDone: () => Promise<void>;
  onClose: () => void;
}

/** Takes the windows of one semester over into another, shifted by days. */
export function CopySemester({ open, onDone, onClose }: Props) {
  const { t } = useTranslation("thesis");
  const submit = async (values: Values) => {
    const made = await copySemester(values);
    toast.success(t("window.copied", { n: made }));
    await onDone();
  };
  return (
    <ActDialog<Values>
      open={open}
      title={t("window.copyTitle")}
      okText={t("window.copyOk")}
      about={t("window.copyAbout")}
      initial={{ shiftDays: 182 }}
      onSubmit={submit}
      onClose={onClose}
    >
      <Form.Item
        name="from"
        label={t("window.from")}
        rules={[{ required: true, message: t("window.fromMissing") }]}
      >
        <DictSelect type="academic_year_semesters" as="string" />
      </Form.Item>
      <Form.Item
        name="to"
        label={t("window.to")}
        rules={[{ required: true, message: t("window.toMissing") }]}
      >
        <DictSelect type="academic_year_semesters" as="string" />
      </Form.Item>
      <Form.Item name="shiftDays" label={t("window.shift")} extra={t("window.shiftHelp")}>
        <InputNumber min={-730} max={730} precision={0} style={{ width: "100%" }} />
      </Form.Item>
    </ActDialog>
  );
}
