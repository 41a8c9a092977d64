import { Form, Input } from "antd";
import { titleOf, useSave } from "@/kernel/crud";
import { ActDialog } from "@/kernel/form";
import { useTranslation } from "@/kernel/i18n";
import { toast } from "@/kernel/ui";
import { formEntity } from "./useFormRecord";

interface Values {
  name: string;
  remark?: string;
}

interface Props {
  open: boolean;
  onCreated: (id: number) => void;
  onClose: () => void;
}

/** Makes a form without items; designing it is what comes next. */
export function FormCreate({ open, onCreated, onClose }: Props) {
  const { t } = useTranslation(["workflow", "kernel"]);
  const { save } = useSave(formEntity);
  const title = t("kernel:action.create", { title: titleOf(formEntity) });
  const create = async ({ name, remark = "" }: Values) => {
    const made = { name: name.trim(), remark, status: 0, conf: "{}", fields: [] };
    const id = await save(made);
    toast.success(t("form.created", { name: made.name }));
    onCreated(Number(id));
  };
  return (
    <ActDialog<Values> open={open} title={title} okText={title} onSubmit={create} onClose={onClose}>
      <Form.Item
        name="name"
        label={t("form.name")}
        rules={[
          { required: true, whitespace: true, message: t("kernel:form.required", { label: t("form.name") }) },
        ]}
      >
        <Input maxLength={64} showCount />
      </Form.Item>
      <Form.Item name="remark" label={t("form.remark")}>
        <Input.TextArea maxLength={255} showCount autoSize={{ minRows: 2, maxRows: 6 }} />
      </Form.Item>
    </ActDialog>
  );
}
