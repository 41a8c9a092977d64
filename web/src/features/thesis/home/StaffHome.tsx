import { useAccess } from "@/kernel/access";
import { useTranslation } from "@/kernel/i18n";
import { useSession } from "@/kernel/session";
import { EmptyState, PageHeader } from "@/kernel/ui";
import { Section } from "../shared/Section";
import { StepChart } from "../staff/StepChart";
import { useOverview } from "./calls";
import { Health } from "./Health";
import { Messages, Notices } from "./News";
import { TodoCard, useTodoPaths } from "./TodoCard";
import { WindowsCard } from "./WindowsCard";

/** The office's day: to decide, where everybody stands, windows opening and closing. */
export default function StaffHome() {
  const { t } = useTranslation("thesis");
  const name = useSession((state) => state.user?.nickname ?? "");
  const access = useAccess();
  const { topics, processes } = useTodoPaths();
  const todo = topics !== null || processes !== null;
  const records = access.hasPermission(["thesis:record:query"]);
  const windows = access.hasPermission(["thesis:step-window:query"]);
  const admin = access.hasRole(["tenant_admin"]);
  return (
    <div className="th-page">
      <PageHeader title={t("home.staff", { name })} />
      <div className="th-stack">
        <div className="th-columns">
          <div className="th-stack">
            {todo ? <TodoCard /> : null}
            {records ? <Standing /> : null}
            {!todo && !records && !admin ? (
              <EmptyState title={t("home.nothingWaits")} hint={t("home.nothingHint")} />
            ) : null}
          </div>
          <div className="th-stack">
            {admin ? <Health /> : null}
            {windows ? <WindowsCard /> : null}
            <Messages />
            <Notices />
          </div>
        </div>
      </div>
    </div>
  );
}

function Standing() {
  const { t } = useTranslation("thesis");
  const { data, error } = useOverview();
  if (error || !data) return null;
  return (
    <Section title={t("overview.title", { n: data.total.toLocaleString() })}>
      <StepChart counts={data.steps} />
    </Section>
  );
}
