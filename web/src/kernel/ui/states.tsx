import { Button } from "antd";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { errorText } from "@/kernel/api/errors";

interface StateProps {
  mark: string;
  title: ReactNode;
  hint?: ReactNode;
  action?: ReactNode;
}

/** The common look of every state; plain markup, because it has to show when nothing else loads. */
function StateView({ mark, title, hint, action }: StateProps) {
  return (
    <div style={{ padding: "48px 24px", textAlign: "center" }}>
      <div aria-hidden="true" style={{ fontSize: 40, lineHeight: 1.2, color: "var(--viva-text-secondary)" }}>
        {mark}
      </div>
      <div style={{ fontSize: 16, marginTop: 8 }}>{title}</div>
      {hint ? <div style={{ color: "var(--viva-text-secondary)", marginTop: 4 }}>{hint}</div> : null}
      {action ? <div style={{ marginTop: 16 }}>{action}</div> : null}
    </div>
  );
}

interface EmptyProps {
  title?: string;
  hint?: ReactNode;
  /** The next act: a button. */
  action?: ReactNode;
}

/** Nothing to show: says why and offers the next act. */
export function EmptyState({ title, hint, action }: EmptyProps) {
  const { t } = useTranslation("kernel");
  return <StateView mark="○" title={title ?? t("empty.title")} hint={hint} action={action} />;
}

interface ErrorProps {
  error?: unknown;
  title?: string;
  hint?: ReactNode;
  onRetry?: () => void;
}

/** Something failed: what happened, what to do, and a retry. */
export function ErrorState({ error, title, hint, onRetry }: ErrorProps) {
  const { t } = useTranslation("kernel");
  const retry = (
    <Button type="primary" autoInsertSpace={false} onClick={onRetry}>
      {t("action.retry")}
    </Button>
  );
  return (
    <div role="alert">
      <StateView
        mark="!"
        title={title ?? t("failure.title")}
        hint={
          <>
            {error ? <div>{errorText(error)}</div> : null}
            <div>{hint ?? t("failure.hint")}</div>
          </>
        }
        action={onRetry ? retry : null}
      />
    </div>
  );
}

interface ForbiddenProps {
  title: string;
  permission: string;
}

/** No permission: says which one is missing and who can grant it. */
export function ForbiddenState({ title, permission }: ForbiddenProps) {
  const { t } = useTranslation("kernel");
  return (
    <StateView
      mark="⊘"
      title={<h2 style={{ fontSize: 16, margin: 0 }}>{t("list.forbiddenTitle", { title })}</h2>}
      hint={t("list.forbiddenHint", { permission })}
    />
  );
}

/** The one state of pages whose feature is not built yet. */
export function NotOpenYet() {
  const { t } = useTranslation("kernel");
  const navigate = useNavigate();
  return (
    <StateView
      mark="◔"
      title={<h1 style={{ fontSize: 20, margin: 0 }}>{t("notOpen.title")}</h1>}
      hint={t("notOpen.hint")}
      action={
        <Button type="primary" onClick={() => void navigate("/")}>
          {t("action.home")}
        </Button>
      }
    />
  );
}
