import type { FormProps } from "antd";
import { i18n } from "@/kernel/i18n";

/** Marks required fields with a star and says of the others that they are optional. */
export const requiredMark: FormProps["requiredMark"] = (label, { required }) => (
  <span>
    {label}
    {required ? <span aria-hidden="true"> *</span> : i18n.t("kernel:form.optional")}
  </span>
);
