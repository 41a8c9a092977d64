import { Flex, Tag } from "antd";
import { DictTag } from "@/kernel/dict";
import { useTranslation } from "@/kernel/i18n";
import { TimeText } from "@/kernel/ui";
import { Guards } from "../shared/Guards";
import type { SubjectDetail } from "../shared/subjectWire";
import { Timeline } from "../shared/Timeline";
import { SimilarList } from "../subject/SimilarTitles";
import { SubjectView } from "../subject/SubjectView";

/** Who asks, and for what: the head of a declaration. */
export function SubjectHead({ subject }: { subject: SubjectDetail }) {
  const { t } = useTranslation("thesis");
  const change = subject.newTitleZh !== "";
  return (
    <header>
      <Flex gap={8} wrap align="center">
        <DictTag type="student_subject_audit_state" value={subject.auditState} />
        {change ? <Tag color="warning">{t("decide.isChange")}</Tag> : null}
        {subject.lateFlag > 0 ? <DictTag type="thesis_late_flag" value={subject.lateFlag} /> : null}
        {subject.submitNo > 1 ? <Tag>{t("receipt.nth", { n: subject.submitNo })}</Tag> : null}
      </Flex>
      <h2 style={{ margin: "8px 0 4px", fontSize: 18 }}>{change ? subject.newTitleZh : subject.titleZh}</h2>
      <div className="th-item-meta">
        <span>
          {subject.studentName} {subject.studentNo}
        </span>
        <span>
          {subject.deptName} · {subject.majorName}
        </span>
        <DictTag type="thesis_degree_level" value={subject.degreeLevel} />
        <span>{t("decide.advisor", { name: subject.advisorName })}</span>
        {subject.submittedAt > 0 ? (
          <span>
            {t("decide.submitted")} <TimeText value={subject.submittedAt} />
          </span>
        ) : null}
      </div>
    </header>
  );
}

/** The document, the facts beside it and every earlier opinion. */
export function SubjectDocument({ subject }: { subject: SubjectDetail }) {
  const { t } = useTranslation("thesis");
  return (
    <>
      {subject.similarTitles.length > 0 ? <SimilarList titles={subject.similarTitles} /> : null}
      <SubjectView form={subject} topic={subject.topic} files={subject.files} titled />
      {subject.guards.length > 0 ? <Guards guards={subject.guards} /> : null}
      <section aria-label={t("history.title")}>
        <h3 style={{ fontSize: 14 }}>{t("history.title")}</h3>
        <Timeline entries={subject.history} />
      </section>
    </>
  );
}
