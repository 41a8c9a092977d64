import { Form, Radio } from "antd";
import { useDict } from "@/kernel/dict";
import { ActDialog } from "@/kernel/form";
import { useTranslation } from "@/kernel/i18n";
import { toast } from "@/kernel/ui";
import { type Student, setRealName } from "./calls";

interface Props {
  student: Student | null;
  onDone: () => Promise<void>;
  onClose: () => void;
}

/** Records the result of a student's identity check, which a topic declaration asks for. */
export function RealName({ student, onDone, onClose }: Props) {
  const { t } = useTranslation("academic");
  const states = useDict("thesis_real_name_state");
  const submit = async ({ state }: { state: number }) => {
    if (!student) return;
    await setRealName(student.id, state);
    toast.success(t("realName.done", { name: student.name }));
    await onDone();
  };
  return (
    <ActDialog<{ state: number }>
      open={student !== null}
      title={t("realName.title")}
      okText={t("realName.ok")}
      about={t("realName.about", { name: student?.name ?? "", no: student?.studentNo ?? "" })}
      initial={{ state: student?.realNameState ?? 0 }}
      onSubmit={submit}
      onClose={onClose}
    >
      <Form.Item name="state" label={t("realName.state")}>
        <Radio.Group options={states.map((item) => ({ value: Number(item.value), label: item.label }))} />
      </Form.Item>
    </ActDialog>
  );
}
