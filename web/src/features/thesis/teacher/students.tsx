import { Input } from "antd";
import { useEffect, useState } from "react";
import { useTranslation } from "@/kernel/i18n";
import { PageHeader } from "@/kernel/ui";
import { useMyStudents } from "./calls";
import { StudentsBoard } from "./StudentsBoard";
import "../thesis.css";

const PAUSE = 200;

/** All my students by step. */
export default function StudentsPage() {
  const { t } = useTranslation("thesis");
  const [typed, setTyped] = useState("");
  const [keyword, setKeyword] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setKeyword(typed.trim()), PAUSE);
    return () => clearTimeout(timer);
  }, [typed]);
  const { data } = useMyStudents(keyword);
  return (
    <div>
      <PageHeader
        title={t("students.page")}
        extra={data ? t("students.count", { n: data.total }) : undefined}
        actions={
          <Input.Search
            allowClear
            aria-label={t("students.search")}
            placeholder={t("students.search")}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        }
      />
      <StudentsBoard keyword={keyword} />
    </div>
  );
}
