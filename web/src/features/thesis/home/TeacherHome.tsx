import { Link } from "react-router";
import { useTranslation } from "@/kernel/i18n";
import { useSession } from "@/kernel/session";
import { PageHeader } from "@/kernel/ui";
import { useMenuPath } from "../shared/menuPath";
import { Section } from "../shared/Section";
import { MyTopics } from "../teacher/MyTopics";
import { StudentsBoard } from "../teacher/StudentsBoard";
import { Messages, Notices } from "./News";
import { TodoCard } from "./TodoCard";

/** A teacher's day: to decide, my students by step, my topics. */
export default function TeacherHome({ title }: { title?: string }) {
  const { t } = useTranslation("thesis");
  const name = useSession((state) => state.user?.nickname ?? "");
  const students = useMenuPath("teacher/students");
  return (
    <div className="th-page">
      <PageHeader title={title ?? t("home.teacher", { name })} />
      <div className="th-stack">
        <div className="th-columns">
          <TodoCard />
          <div className="th-stack">
            <MyTopics />
          </div>
        </div>
        <Section
          title={t("students.page")}
          more={students ? <Link to={students}>{t("home.all")}</Link> : null}
        >
          <StudentsBoard />
        </Section>
        <div className="th-two">
          <Messages />
          <Notices />
        </div>
      </div>
    </div>
  );
}
