import { Segmented } from "antd";
import { useSearchParams } from "react-router";
import { useTranslation } from "@/kernel/i18n";
import { Logs } from "./Logs";
import { Runs } from "./Runs";

type Part = "logs" | "runs";

/** What the schedules did, and the background work behind them with what failed. */
export default function JobLogPage() {
  const { t } = useTranslation("infra");
  const [search, setSearch] = useSearchParams();
  const part: Part = search.get("tab") === "runs" ? "runs" : "logs";
  return (
    <>
      <Segmented<Part>
        aria-label={t("job.parts")}
        value={part}
        options={[
          { value: "logs", label: t("job.logs") },
          { value: "runs", label: t("job.runs") },
        ]}
        onChange={(next) => setSearch(next === "runs" ? { tab: "runs" } : {}, { replace: true })}
        style={{ marginBottom: 16 }}
      />
      {part === "runs" ? <Runs /> : <Logs />}
    </>
  );
}
