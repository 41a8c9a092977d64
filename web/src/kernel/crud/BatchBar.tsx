import { Button } from "antd";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";

interface Props {
  count: number;
  onClear: () => void;
  children: ReactNode;
}

/** Shows while rows are selected: how many, and what can be done with them. */
export function BatchBar({ count, onClear, children }: Props) {
  const { t } = useTranslation("kernel");
  if (count === 0) return null;
  return (
    <section className="viva-batch" aria-label={t("list.selected", { count })}>
      <span role="status">{t("list.selected", { count })}</span>
      {children}
      <Button type="link" onClick={onClear}>
        {t("list.clearSelection")}
      </Button>
    </section>
  );
}
