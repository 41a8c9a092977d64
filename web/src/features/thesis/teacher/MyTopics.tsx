import { Link } from "react-router";
import { DictTag } from "@/kernel/dict";
import { useTranslation } from "@/kernel/i18n";
import { useSession } from "@/kernel/session";
import { useMenuPath } from "../shared/menuPath";
import { Section } from "../shared/Section";
import { useTopics } from "./calls";

/** The topics I offer, in short. */
export function MyTopics() {
  const { t } = useTranslation("thesis");
  const advisorId = useSession((state) => Number(state.teacherDto?.id ?? 0));
  const path = useMenuPath("teacher/topic");
  const { data, error } = useTopics(advisorId);
  if (error || !path) return null;
  const list = data?.list.slice(0, 6) ?? [];
  return (
    <Section title={t("topic.mine")} more={<Link to={path}>{t("home.all")}</Link>}>
      {data && list.length === 0 ? <p className="th-quiet">{t("topic.noneHint")}</p> : null}
      <ul className="th-plain">
        {list.map((topic) => (
          <li key={topic.id}>
            <div>{topic.title}</div>
            <span className="th-item-meta">
              <DictTag type="thesis_topic_state" value={topic.state} />
              <span>{t("topic.taken", { n: topic.takenCount, max: topic.maxStudents })}</span>
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
