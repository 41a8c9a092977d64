import { Alert, Button, Checkbox, Flex, Input } from "antd";
import { useTranslation } from "@/kernel/i18n";
import { LockedButton, TimeText } from "@/kernel/ui";
import { lengthOf } from "../shared/length";
import type { SubjectDetail } from "../shared/subjectWire";
import type { Verdict } from "./calls";
import { PhrasePicker } from "./PhrasePicker";
import type { Decide } from "./useDecide";
import { VerdictDialog } from "./VerdictDialog";
import { OPINION_MAX } from "./verdict";

interface Props {
  subject: SubjectDetail;
  decide: Decide;
  /** Where the next one is opened, after somebody else was faster. */
  onSkip?: () => void;
}

/** The opinion and the three acts, each clearly its own. */
export function DecideForm({ subject, decide, onSkip }: Props) {
  const { t } = useTranslation("thesis");
  if (decide.handled) {
    const { handledBy, handledAt } = decide.handled;
    return (
      <Alert
        type="info"
        showIcon
        role="status"
        title={t("decide.handledTitle", { name: handledBy })}
        description={
          <>
            <TimeText value={handledAt} /> {t("decide.handledHint")}
          </>
        }
        action={onSkip ? <Button onClick={onSkip}>{t("decide.next")}</Button> : null}
      />
    );
  }
  if (subject.actions.length === 0) {
    return subject.lockReason ? <Alert type="info" showIcon title={subject.lockReason} /> : null;
  }
  return (
    <section className="th-stack" style={{ gap: 8 }} aria-label={t("decide.label")}>
      <Flex justify="space-between" align="center" gap={8} wrap>
        <label htmlFor="th-opinion">{t("decide.opinion")}</label>
        <PhrasePicker
          opinion={decide.opinion}
          onPick={(phrase) => decide.write(decide.opinion ? `${decide.opinion}\n${phrase}` : phrase)}
        />
      </Flex>
      <Input.TextArea
        id="th-opinion"
        ref={decide.field}
        value={decide.opinion}
        status={decide.problem ? "error" : undefined}
        aria-invalid={decide.problem !== ""}
        aria-describedby="th-opinion-help"
        autoSize={{ minRows: 3, maxRows: 10 }}
        count={{ show: true, max: OPINION_MAX, strategy: lengthOf }}
        onChange={(event) => decide.write(event.target.value)}
      />
      <div id="th-opinion-help">
        {decide.problem ? (
          <span role="alert" className="th-due is-over">
            {decide.problem}
          </span>
        ) : (
          <span className="th-quiet">{t("decide.opinionHelp")}</span>
        )}
      </div>
      {subject.actions.includes("return") && subject.files.length > 0 ? (
        <Checkbox checked={decide.newFile} onChange={(event) => decide.setNewFile(event.target.checked)}>
          {t("decide.newFile")}
        </Checkbox>
      ) : null}
      <Acts subject={subject} decide={decide} />
      <VerdictDialog subject={subject} decide={decide} />
    </section>
  );
}

/** Approve stands out, return is plain, reject is red and at the other end. */
function Acts({ subject, decide }: Omit<Props, "onSkip">) {
  const { t } = useTranslation("thesis");
  const lock = (verdict: Verdict) => subject.locks[verdict] ?? "";
  const change = subject.newTitleZh !== "";
  return (
    <Flex gap={12} wrap align="start">
      <LockedButton
        type="primary"
        reason={lock("approve")}
        aria-keyshortcuts="A"
        onClick={() => decide.ask("approve")}
      >
        {t("decide.approve")}
      </LockedButton>
      <LockedButton reason={lock("return")} aria-keyshortcuts="R" onClick={() => decide.ask("return")}>
        {t(change ? "decide.refuseChange" : "decide.return")}
      </LockedButton>
      <span style={{ marginInlineStart: "auto" }}>
        {change ? null : (
          <LockedButton danger reason={lock("reject")} onClick={() => decide.ask("reject")}>
            {t("decide.reject")}
          </LockedButton>
        )}
      </span>
    </Flex>
  );
}
