import { Flex, Tag } from "antd";
import { DictTag, dictLabel } from "@/kernel/dict";
import { useTranslation } from "@/kernel/i18n";
import type { Mentor } from "./wire";

/** An advisor as the student sees him: who, where, how to reach him. */
export function MentorCard({ mentor }: { mentor: Mentor }) {
  const { t } = useTranslation("thesis");
  const title = dictLabel("thesis_title_rank", mentor.titleRank);
  return (
    <div className="th-item">
      <Flex gap={8} align="center" wrap>
        <span style={{ fontSize: 18, fontWeight: 600 }}>{mentor.name}</span>
        <DictTag type="thesis_supervision_role" value={mentor.role} />
        {title ? <span className="th-quiet">{title}</span> : null}
      </Flex>
      <dl className="th-facts" style={{ marginTop: 8 }}>
        <dt>{t("mentor.dept")}</dt>
        <dd>{mentor.deptName}</dd>
        <dt>{t("mentor.email")}</dt>
        <dd>{mentor.email ? <a href={`mailto:${mentor.email}`}>{mentor.email}</a> : t("mentor.unknown")}</dd>
        <dt>{t("mentor.hours")}</dt>
        <dd>{mentor.officeHours || t("mentor.unknown")}</dd>
        {mentor.researchKeywords?.length ? (
          <>
            <dt>{t("mentor.keywords")}</dt>
            <dd>
              <Flex gap={4} wrap>
                {mentor.researchKeywords.map((word) => (
                  <Tag key={word}>{word}</Tag>
                ))}
              </Flex>
            </dd>
          </>
        ) : null}
        <dt>{t("mentor.since")}</dt>
        <dd>{mentor.endDate ? `${mentor.startDate} – ${mentor.endDate}` : mentor.startDate}</dd>
      </dl>
    </div>
  );
}
