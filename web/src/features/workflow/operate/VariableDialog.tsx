import { Form, Input, Radio, Select } from "antd";
import { useOnce } from "@/kernel/api/useOnce";
import { ActDialog } from "@/kernel/form";
import { useTranslation } from "@/kernel/i18n";
import { toast } from "@/kernel/ui";
import { setVariable, type VariableChange } from "./calls";
import { ReasonField } from "./ReasonDialog";
import { type Variable, type VariableType, variableTypes } from "./wire";
import "./operate.css";

interface Props {
  instance: string;
  /** Null adds a variable of the process. */
  variable: Variable | null;
  onDone: () => Promise<void>;
  onClose: () => void;
}

interface Values {
  name: string;
  type: VariableType;
  value?: string;
  reason: string;
}

/** Writes one variable; the server refuses when it is not what was seen any more. */
export function VariableDialog({ instance, variable, onDone, onClose }: Props) {
  const { t } = useTranslation("workflow");
  const once = useOnce();
  const submit = async (values: Values) => {
    const change: VariableChange = {
      ...values,
      scope: variable?.scope ?? "",
      value: values.value ?? "",
      before: variable?.value,
    };
    await setVariable(instance, change, once.keyOf(change));
    toast.success(t("variable.saved", { name: values.name }));
    await onDone();
  };
  return (
    <ActDialog<Values>
      open
      title={variable ? t("variable.editTitle", { name: variable.name }) : t("variable.add")}
      about={variable ? null : t("variable.addAbout")}
      okText={t("variable.save")}
      initial={variable ?? { type: "string" }}
      onSubmit={submit}
      onClose={onClose}
    >
      {(form) => (
        <>
          {variable ? (
            <div className="op-before">
              <span className="op-quiet">{t("variable.before")}</span>
              <code className="op-value">{variable.value}</code>
            </div>
          ) : null}
          <Form.Item
            name="name"
            hidden={variable !== null}
            label={t("variable.name")}
            rules={[{ required: true, whitespace: true, message: t("variable.nameMissing") }]}
          >
            <Input maxLength={64} />
          </Form.Item>
          <Form.Item name="type" label={t("variable.kind")} rules={[{ required: true }]}>
            <Select<VariableType>
              options={variableTypes.map((type) => ({ value: type, label: t(`variable.type.${type}`) }))}
              onChange={() => form.setFieldValue("value", undefined)}
            />
          </Form.Item>
          <Form.Item noStyle shouldUpdate={(before, after) => before.type !== after.type}>
            {() => <ValueField type={form.getFieldValue("type") as VariableType} />}
          </Form.Item>
          <ReasonField />
        </>
      )}
    </ActDialog>
  );
}

function ValueField({ type }: { type: VariableType }) {
  const { t } = useTranslation("workflow");
  if (type === "null") return null;
  const help = type === "list" || type === "object" ? t(`variable.help.${type}`) : undefined;
  const rules = type === "string" ? [] : [{ required: true, message: t("variable.valueMissing") }];
  return (
    <Form.Item name="value" label={t("variable.value")} extra={help} rules={rules}>
      {type === "boolean" ? (
        <Radio.Group
          options={[
            { value: "true", label: t("kernel:action.yes") },
            { value: "false", label: t("kernel:action.no") },
          ]}
        />
      ) : (
        <Input.TextArea
          autoSize={{ minRows: type === "list" || type === "object" ? 4 : 1, maxRows: 12 }}
          maxLength={65_536}
          spellCheck={false}
        />
      )}
    </Form.Item>
  );
}
