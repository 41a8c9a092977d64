import { DictTag } from "@/kernel/dict";
import { useTranslation } from "@/kernel/i18n";
import { FileChips } from "../shared/Files";
import type { Subject } from "../shared/subjectWire";
import { Audit, type FileView, type OpenTopic } from "../shared/wire";

interface Props {
  form: Subject;
  topic: OpenTopic | null;
  files: FileView[];
  /** The title stands above already. */
  titled?: boolean;
}

/** A declaration to read: the same order as the form. */
export function SubjectView({ form, topic, files, titled = false }: Props) {
  const { t } = useTranslation("thesis");
  const changing = form.auditState === Audit.Changing;
  return (
    <dl className="th-facts">
      {titled && !changing ? null : (
        <>
          <dt>{t("subject.titleZh")}</dt>
          <dd>
            <strong>{form.titleZh}</strong>
          </dd>
        </>
      )}
      {form.titleEn ? (
        <>
          <dt>{t("subject.titleEn")}</dt>
          <dd lang="en">{form.titleEn}</dd>
        </>
      ) : null}
      {changing ? (
        <>
          <dt>{t("subject.newTitle")}</dt>
          <dd>
            <strong>{form.newTitleZh}</strong>
            {form.newTitleEn ? <div lang="en">{form.newTitleEn}</div> : null}
            <div className="th-quote">
              {t(form.changeMajor ? "change.majorShort" : "change.minorShort")}：{form.changeReason}
            </div>
          </dd>
        </>
      ) : null}
      <dt>{t("subject.way")}</dt>
      <dd>
        {form.selfProposed
          ? t("subject.wayOwn")
          : t("subject.topicBy", { advisor: topic?.advisorName ?? "", title: topic?.title ?? "" })}
      </dd>
      <dt>{t("subject.type")}</dt>
      <dd>
        <DictTag type="thesis_type" value={form.thesisType} />
      </dd>
      <dt>{t("subject.source")}</dt>
      <dd>
        <DictTag type="thesis_source" value={form.thesisSource} /> {form.sourceNo}
      </dd>
      <dt>{t("subject.reason")}</dt>
      <dd>{form.reason}</dd>
      {form.expectedResult ? (
        <>
          <dt>{t("subject.expected")}</dt>
          <dd>{form.expectedResult}</dd>
        </>
      ) : null}
      <dt>{t("subject.files")}</dt>
      <dd>{files.length > 0 ? <FileChips files={files} /> : t("subject.noFiles")}</dd>
    </dl>
  );
}
