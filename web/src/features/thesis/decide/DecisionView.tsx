import { Skeleton } from "antd";
import { useEffect } from "react";
import { useTranslation } from "@/kernel/i18n";
import { ErrorState } from "@/kernel/ui";
import { useSubject, type Verdict } from "./calls";
import { DecideForm } from "./DecideForm";
import { SubjectDocument, SubjectHead } from "./Document";
import { useDecide } from "./useDecide";

interface Props {
  id: number;
  onDecided?: (verdict: Verdict) => void;
  onSkip?: () => void;
  /** Receives the act of a key (A, R), so that the page owns the keyboard. */
  onReady?: (ask: ((verdict: Verdict) => void) | null) => void;
}

/** A declaration with everything needed to decide it, and the decision when it is the reader's. */
export function DecisionView({ id, onDecided, onSkip, onReady }: Props) {
  const { t } = useTranslation("thesis");
  const { data, error, isPending, refetch } = useSubject(id);
  const decide = useDecide(data, (verdict) => onDecided?.(verdict));
  const { ask } = decide;
  useEffect(() => {
    onReady?.(ask);
    return () => onReady?.(null);
  });
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (isPending || !data)
    return <Skeleton active paragraph={{ rows: 10 }} aria-label={t("decide.loading")} />;
  return (
    <article className="th-stack" aria-label={data.titleZh}>
      <SubjectHead subject={data} />
      <SubjectDocument subject={data} />
      {data.actions.length > 0 || decide.handled ? (
        <div className="th-decide">
          <DecideForm subject={data} decide={decide} onSkip={onSkip} />
        </div>
      ) : (
        <DecideForm subject={data} decide={decide} onSkip={onSkip} />
      )}
    </article>
  );
}
