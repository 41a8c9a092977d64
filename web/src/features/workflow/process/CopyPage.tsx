import { Badge, Button } from "antd";
import { useMemo } from "react";
import { useNavigate } from "react-router";
import { errorText } from "@/kernel/api/errors";
import { type CrudOptions, CrudPage, type CrudPageHandle, useCrudPage } from "@/kernel/crud";
import { t, useTranslation } from "@/kernel/i18n";
import { toast } from "@/kernel/ui";
import { personText } from "../instance/duration";
import { readCopies } from "./calls";
import { ProcessNumber, Summary } from "./cells";
import { copyEntity } from "./entities";
import { instancePath } from "./paths";
import { useFreshOnReturn } from "./useFreshOnReturn";
import type { CopyRow } from "./wire";

type Open = (row: CopyRow) => void;

function optionsOf(open: Open): CrudOptions<CopyRow> {
  return {
    ns: "workflow",
    description: "workflow:process.copyAbout",
    nameOf: (row) => row.processInstanceName,
    empty: { title: "workflow:process.copyNone", hint: "workflow:process.copyNoneHint" },
    columns: [
      { name: "processInstanceName", search: true, render: (_, row) => <Name row={row} /> },
      { name: "createUser", width: 180, render: (_, row) => personText(row.createUser) },
      { name: "reason", width: 220 },
      { name: "createTime", search: "range" },
      { name: "startUser", width: 180, render: (_, row) => personText(row.startUser) },
      { name: "activityName", width: 150 },
      { name: "summary", width: 220, render: (_, row) => <Summary items={row.summary} /> },
    ],
    actions: [{ key: "look", label: "workflow:process.look", run: open }],
    toolbar: (page) => <Reading page={page} />,
  };
}

/** What was not opened yet stands out, also for those who do not see the colour. */
function Name({ row }: { row: CopyRow }) {
  return (
    <>
      {row.unread ? (
        <strong>
          <Badge status="processing" text={t("workflow:process.unread")} className="pr-unread" />
          {row.processInstanceName}
        </strong>
      ) : (
        row.processInstanceName
      )}
      <ProcessNumber number={row.number} />
    </>
  );
}

/** Narrows the list to what is unread, and empties that. */
function Reading({ page }: { page: CrudPageHandle<CopyRow> }) {
  const { t: text } = useTranslation("workflow");
  const { unread, ...rest } = page.list.state.filters;
  const only = unread === "true";
  const readAll = async () => {
    try {
      await readCopies();
      toast.success(text("process.allReadDone"));
      await page.refresh();
    } catch (error) {
      toast.error(errorText(error));
    }
  };
  return (
    <>
      <Button
        aria-pressed={only}
        color={only ? "primary" : "default"}
        variant="outlined"
        onClick={() => page.list.setFilters(only ? rest : { ...rest, unread: "true" })}
      >
        {text("process.unreadOnly")}
      </Button>
      <Button onClick={() => void readAll()}>{text("process.allRead")}</Button>
    </>
  );
}

/** Processes that others want me to know of. */
export default function CopyPage() {
  useTranslation("workflow");
  const navigate = useNavigate();
  const open = useMemo<Open>(
    () => (row) => {
      // The list is read again on the way back; opening must not wait for the mark.
      if (row.unread) readCopies(row.processInstanceId).catch((error) => console.error(error));
      void navigate(instancePath(row.processInstanceId));
    },
    [navigate],
  );
  const options = useMemo(() => optionsOf(open), [open]);
  const page = useCrudPage<CopyRow>(copyEntity, options);
  useFreshOnReturn(page.refresh);
  return <CrudPage page={{ ...page, openDetail: open }} options={options} name="bpm/process-instance/copy" />;
}
