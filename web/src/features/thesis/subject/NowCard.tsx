import type { ReactNode } from "react";
import { useTranslation } from "@/kernel/i18n";
import { useSession } from "@/kernel/session";
import { TimeText } from "@/kernel/ui";
import { DueText, WaitingText } from "../shared/DueText";
import type { MySubject } from "../shared/subjectWire";
import { moods, type Situation, situationOf } from "./situation";

interface Props {
  my: MySubject;
  now: number;
  /** The acts of this state. */
  children?: ReactNode;
}

const withDeadline: Situation[] = ["open", "draft", "returned", "early", "closed"];

/** What to do now, until when, and who decides after it: one sentence each. */
export function NowCard({ my, now, children }: Props) {
  const { t } = useTranslation("thesis");
  const advisor = useAdvisorName();
  const situation = situationOf(my);
  const { step, form } = my;
  return (
    <section className={`th-card th-now ${moods[situation]}`} aria-label={t("now.label")}>
      <p className="th-now-what">{t(`now.${situation}.what`)}</p>
      <dl className="th-facts">
        {situation === "early" ? (
          <>
            <dt>{t("now.opens")}</dt>
            <dd>
              <TimeText value={step.openAt} />
            </dd>
          </>
        ) : null}
        {withDeadline.includes(situation) && step.dueAt > 0 ? (
          <>
            <dt>{t("now.until")}</dt>
            <dd>
              <DueText dueAt={step.dueAt} now={now} />
            </dd>
          </>
        ) : null}
        {situation === "waiting" || situation === "changing" ? (
          <>
            <dt>{t("now.waitsFor")}</dt>
            <dd>
              <Decider level={form?.level ?? 0} /> <WaitingText since={form?.waitingSince ?? 0} now={now} />
            </dd>
          </>
        ) : null}
        <dt>{t("now.next")}</dt>
        <dd>{t(`now.${situation}.next`)}</dd>
        {["open", "draft", "returned"].includes(situation) ? (
          <>
            <dt>{t("now.decides")}</dt>
            <dd>{t(my.rules["subject.third_level"] ? "now.three" : "now.two", { advisor })}</dd>
          </>
        ) : null}
      </dl>
      {children}
    </section>
  );
}

function useAdvisorName(): string {
  return useSession((state) => String(state.studentDto?.advisorName ?? ""));
}

/** Who has to decide at a level; the advisor by name. */
function Decider({ level }: { level: number }) {
  const { t } = useTranslation("thesis");
  const advisor = useAdvisorName();
  return <>{level === 1 && advisor ? `${t("level.1")} ${advisor}` : t(`level.${level}`)}</>;
}
