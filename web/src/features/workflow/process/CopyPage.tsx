import { useMemo } from "react";
import { useNavigate } from "react-router";
import { type CrudOptions, CrudPage, useCrudPage } from "@/kernel/crud";
import { useTranslation } from "@/kernel/i18n";
import { personText } from "../instance/duration";
import { Summary } from "./cells";
import { copyEntity } from "./entities";
import { instancePath } from "./paths";
import { useFreshOnReturn } from "./useFreshOnReturn";
import type { CopyRow } from "./wire";

/** Processes that others want me to know of. */
export default function CopyPage() {
  useTranslation("workflow");
  const navigate = useNavigate();
  const options = useMemo<CrudOptions<CopyRow>>(
    () => ({
      ns: "workflow",
      description: "workflow:process.copyAbout",
      nameOf: (row) => row.processInstanceName,
      empty: { title: "workflow:process.copyNone", hint: "workflow:process.copyNoneHint" },
      columns: [
        { name: "processInstanceName", search: true },
        { name: "createUser", width: 180, render: (_, row) => personText(row.createUser) },
        { name: "reason", width: 220 },
        { name: "createTime", search: "range" },
        { name: "startUser", width: 180, render: (_, row) => personText(row.startUser) },
        { name: "activityName", width: 150 },
        { name: "summary", width: 220, render: (_, row) => <Summary items={row.summary} /> },
      ],
      actions: [
        {
          key: "look",
          label: "workflow:process.look",
          run: (row) => void navigate(instancePath(row.processInstanceId)),
        },
      ],
    }),
    [navigate],
  );
  const page = useCrudPage<CopyRow>(copyEntity, options);
  useFreshOnReturn(page.refresh);
  const openDetail = (row: CopyRow) => void navigate(instancePath(row.processInstanceId));
  return <CrudPage page={{ ...page, openDetail }} options={options} name="bpm/process-instance/copy" />;
}
