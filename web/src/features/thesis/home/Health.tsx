import { Tag } from "antd";
import dayjs from "dayjs";
import { useMemo } from "react";
import { useAccess } from "@/kernel/access";
import { useTranslation } from "@/kernel/i18n";
import { Section } from "../shared/Section";
import { useCount, useReady } from "./calls";

/** For administrators alone: does the service take work, do jobs fail, do sign-ins fail. */
export function Health() {
  const { t } = useTranslation("thesis");
  const access = useAccess();
  const ready = useReady(true);
  const since = useMemo(() => {
    const now = dayjs();
    const format = "YYYY-MM-DD HH:mm:ss";
    return { from: now.subtract(1, "day").format(format), to: now.add(1, "day").format(format) };
  }, []);
  const jobs = useCount(
    "/infra/job-log/page",
    { status: 2, beginTime: since.from },
    access.hasPermission(["infra:job:query"]),
  );
  const logins = useCount(
    "/system/login-log/page",
    { status: "false", "createTime[0]": since.from, "createTime[1]": since.to },
    access.hasPermission(["system:login-log:query"]),
  );
  const feedback = useCount(
    "/thesis/feedback/page",
    { state: 0 },
    access.hasPermission(["thesis:feedback:query"]),
  );
  const rows: [string, number | undefined][] = [
    ["health.jobs", jobs],
    ["health.logins", logins],
    ["health.feedback", feedback],
  ];
  return (
    <Section title={t("health.title")}>
      <dl className="th-facts">
        <dt>{t("health.service")}</dt>
        <dd>
          {ready.data === undefined && !ready.error ? null : (
            <Tag color={ready.data ? "success" : "error"}>
              {t(ready.data ? "health.ready" : "health.down")}
            </Tag>
          )}
        </dd>
        {rows.map(([label, count]) =>
          count === undefined ? null : <Figure key={label} label={t(label)} count={count} />,
        )}
      </dl>
    </Section>
  );
}

function Figure({ label, count }: { label: string; count: number }) {
  return (
    <>
      <dt>{label}</dt>
      <dd className={count > 0 ? "th-warn" : ""}>{count.toLocaleString()}</dd>
    </>
  );
}
