import { Form, Input } from "antd";
import { RefSelect } from "@/kernel/crud";
import { ActDialog } from "@/kernel/form";
import { useTranslation } from "@/kernel/i18n";
import { toast } from "@/kernel/ui";
import { type Assignment, assignAdvisor, type Student } from "./calls";

interface Props {
  /** The students to give an advisor; null while the dialog is closed. */
  students: Student[] | null;
  onDone: () => Promise<void>;
  onClose: () => void;
}

/** Gives one or many students a main advisor. */
export function AssignAdvisor({ students, onDone, onClose }: Props) {
  const { t } = useTranslation("academic");
  const list = students ?? [];
  const shown = list
    .slice(0, 3)
    .map((student) => student.name)
    .join("、");
  const replaced = list.filter((student) => student.advisorId > 0).length;
  const submit = async (values: Assignment) => {
    await assignAdvisor(
      list.map((student) => student.id),
      values,
    );
    toast.success(t("assign.done", { total: list.length }));
    await onDone();
  };
  return (
    <ActDialog<Assignment>
      open={students !== null}
      title={t("assign.title")}
      okText={t("assign.ok")}
      about={
        <>
          {t(list.length > 3 ? "assign.aboutMany" : "assign.about", { names: shown, total: list.length })}
          {replaced > 0 ? ` ${t("assign.replaces", { total: replaced })}` : ""}
        </>
      }
      onSubmit={submit}
      onClose={onClose}
    >
      <Form.Item
        name="advisorId"
        label={t("assign.advisor")}
        rules={[{ required: true, message: t("assign.advisorMissing") }]}
      >
        <RefSelect path="/thesis/advisor/list-all-simple" />
      </Form.Item>
      <Form.Item name="reason" label={t("assign.reason")} extra={t("assign.reasonHelp")}>
        <Input.TextArea autoSize={{ minRows: 2, maxRows: 4 }} maxLength={200} showCount />
      </Form.Item>
    </ActDialog>
  );
}
