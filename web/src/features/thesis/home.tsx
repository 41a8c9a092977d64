import { Segmented, Skeleton } from "antd";
import { lazy, Suspense, useState } from "react";
import { useAccess } from "@/kernel/access";
import { useTranslation } from "@/kernel/i18n";
import { useSession } from "@/kernel/session";
import "./thesis.css";

// Nobody loads the home of somebody else.
const StudentHome = lazy(() => import("./home/StudentHome"));
const TeacherHome = lazy(() => import("./home/TeacherHome"));
const StaffHome = lazy(() => import("./home/StaffHome"));

const STUDENT = 1;

/** Everybody's first page: what to do next, by who one is. */
export default function HomePage() {
  return (
    <Suspense fallback={<Skeleton active paragraph={{ rows: 8 }} />}>
      <Home />
    </Suspense>
  );
}

function Home() {
  const { t } = useTranslation("thesis");
  const type = useSession((state) => state.user?.type);
  const teacher = useSession((state) => state.teacherDto !== null);
  const office = useAccess().hasPermission(["thesis:record:query"]);
  const [view, setView] = useState<"teacher" | "staff">("teacher");
  if (type === STUDENT) return <StudentHome />;
  if (!teacher) return <StaffHome />;
  if (!office) return <TeacherHome />;
  // Advisors with an office have two desks.
  return (
    <>
      <Segmented
        aria-label={t("home.view")}
        style={{ marginBottom: 12 }}
        value={view}
        onChange={setView}
        options={[
          { value: "teacher", label: t("home.asTeacher") },
          { value: "staff", label: t("home.asStaff") },
        ]}
      />
      {view === "teacher" ? <TeacherHome /> : <StaffHome />}
    </>
  );
}
