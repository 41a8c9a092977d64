import { Tag } from "antd";
import { Link } from "react-router";
import { useTranslation } from "@/kernel/i18n";
import { useTodo } from "../decide/calls";
import { WaitingText } from "../shared/DueText";
import { useMenuPath } from "../shared/menuPath";
import { Section } from "../shared/Section";

const SHOWN = 8;

/** What waits for the reader, the oldest first with its waiting time. */
export function TodoCard() {
  const { t } = useTranslation("thesis");
  const path = useMenuPath("teacher/todo");
  const { data, error } = useTodo({ keyword: "", level: 0 }, SHOWN);
  if (!path || error) return null;
  const rows = data?.list ?? [];
  return (
    <Section title={t("home.todo", { n: data?.total ?? 0 })} more={<Link to={path}>{t("home.all")}</Link>}>
      {data && rows.length === 0 ? <p className="th-quiet">{t("home.nothingWaits")}</p> : null}
      <ul className="th-list">
        {rows.map((row) => (
          <li key={row.id}>
            <Link className="th-item" to={`${path}?id=${row.id}`}>
              <span className="th-item-title">{row.newTitleZh || row.titleZh}</span>
              <span className="th-item-meta">
                <span>
                  {row.studentName} · {row.deptName}
                </span>
                {row.newTitleZh ? <Tag color="warning">{t("decide.isChange")}</Tag> : null}
                <WaitingText since={row.waitingSince} now={Date.now()} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  );
}
