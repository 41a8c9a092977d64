import { Button } from "antd";
import { useMemo } from "react";
import { useNavigate } from "react-router";
import { type CrudOptions, CrudPage, useCrudPage } from "@/kernel/crud";
import { dictLabel } from "@/kernel/dict";
import { t, useTranslation } from "@/kernel/i18n";
import { formatTime } from "@/kernel/rules";
import { instancePath } from "../process/paths";
import { useFreshOnReturn } from "../process/useFreshOnReturn";
import { type Leave, leaveEntity } from "./leave";

const nameOf = (row: Leave) =>
  `${dictLabel("bpm_oa_leave_type", row.type) || t("workflow:leave.title")} ${formatTime(row.startTime, "YYYY-MM-DD")}`;

/** My applications for leave. */
export default function LeavePage() {
  useTranslation("workflow");
  const navigate = useNavigate();
  const options = useMemo<CrudOptions<Leave>>(
    () => ({
      ns: "workflow",
      nameOf,
      empty: { title: "workflow:leave.none", hint: "workflow:leave.noneHint" },
      columns: [
        { name: "type", search: true },
        { name: "status", search: true },
        { name: "startTime" },
        { name: "endTime" },
        { name: "day", width: 80 },
        { name: "reason", search: true, width: 240 },
        { name: "createTime", search: "range" },
      ],
      actions: [
        {
          key: "look",
          label: "workflow:leave.look",
          run: (row) => void navigate(`/bpm/oa/leave/detail?id=${row.id}`),
        },
        {
          key: "progress",
          label: "workflow:leave.progress",
          permission: "bpm:process-instance:query",
          run: (row) => void navigate(instancePath(row.processInstanceId)),
        },
      ],
      toolbar: (page) =>
        page.access.hasPermission(["bpm:oa-leave:create"]) ? (
          <Button type="primary" onClick={() => void navigate("/bpm/oa/leave/create")}>
            {t("workflow:leave.apply")}
          </Button>
        ) : null,
    }),
    [navigate],
  );
  const page = useCrudPage<Leave>(leaveEntity, options);
  useFreshOnReturn(page.refresh);
  const openDetail = (row: Leave) => void navigate(`/bpm/oa/leave/detail?id=${row.id}`);
  return <CrudPage page={{ ...page, openDetail }} options={options} name="bpm/oa/leave" />;
}
