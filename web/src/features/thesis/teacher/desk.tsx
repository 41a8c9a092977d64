import TeacherHome from "../home/TeacherHome";
import "../thesis.css";
import { useTranslation } from "@/kernel/i18n";

/** The teacher's desk: the same as the home page, reachable from the menu. */
export default function DeskPage() {
  const { t } = useTranslation("thesis");
  return <TeacherHome title={t("home.desk")} />;
}
