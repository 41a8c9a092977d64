import type { ReactNode } from "react";
import { t } from "@/kernel/i18n";

/** Required fields carry a star, the others say that they are optional. */
export function requiredMark(label: ReactNode, { required }: { required: boolean }): ReactNode {
  return (
    <span>
      {label}
      {required ? <span aria-hidden="true"> *</span> : t("kernel:form.optional")}
    </span>
  );
}
