import { Button } from "antd";
import type { Ref } from "react";
import { useNavigate } from "react-router";
import { useTranslation } from "@/kernel/i18n";
import { FormView, type FormViewHandle } from "../form/FormView";
import { FORM_BUSINESS } from "../model/entity";
import type { ApprovalDetail } from "./wire";

interface Props {
  ref?: Ref<FormViewHandle>;
  detail: ApprovalDetail;
  /** Only to be read, as on paper. */
  readOnly?: boolean;
  onChange?: () => void;
}

/** The form that is decided: as far as the caller's own task lets him write, else to be read. */
export function FormPanel({ ref, detail, readOnly = false, onChange }: Props) {
  const { t } = useTranslation("workflow");
  const navigate = useNavigate();
  const { processDefinition: definition, processInstance: instance } = detail;
  if (definition.formType === FORM_BUSINESS) {
    const path = definition.formCustomViewPath;
    const address = `${path}?id=${encodeURIComponent(instance.businessKey)}`;
    return (
      <>
        <dl className="instance-facts">
          {instance.summary.map(({ key, value }) => (
            <div key={key}>
              <dt>{key}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        {path.startsWith("/") && instance.businessKey && !readOnly ? (
          <Button onClick={() => void navigate(address)}>{t("instance.openBusiness")}</Button>
        ) : null}
      </>
    );
  }
  if (definition.formFields.length === 0) return <p className="way-note">{t("instance.noForm")}</p>;
  return (
    <FormView
      ref={ref}
      fields={definition.formFields}
      values={instance.formVariables}
      permissions={detail.formFieldsPermission}
      unlisted="read"
      readOnly={readOnly || !detail.todoTask}
      onChange={onChange}
    />
  );
}
