import { useMemo } from "react";
import { useNavigate } from "react-router";
import { type CrudOptions, CrudPage, useCrudPage } from "@/kernel/crud";
import { t, useTranslation } from "@/kernel/i18n";
import { confirmBox, toast } from "@/kernel/ui";
import { CategoryFilter } from "../model/CategoryFilter";
import { withdrawTask } from "./calls";
import { doneEntity } from "./entities";
import { instancePath } from "./paths";
import { doneColumns, taskName } from "./taskColumns";
import { useFreshOnReturn } from "./useFreshOnReturn";
import type { TaskRow } from "./wire";

async function withdraw(row: TaskRow, refresh: () => Promise<void>): Promise<void> {
  const content = t("workflow:process.withdrawAsk", { name: taskName(row) });
  if (!(await confirmBox({ content, okText: t("workflow:process.withdraw") }))) return;
  try {
    await withdrawTask(row.id);
    toast.success(t("workflow:process.withdrawn"));
  } catch (error) {
    console.error(error); // the client has shown why, mostly that what follows was decided
  }
  await refresh();
}

/** What I decided, the latest first; a decision nobody built on yet can be taken back. */
export default function DonePage() {
  useTranslation("workflow");
  const navigate = useNavigate();
  const options = useMemo<CrudOptions<TaskRow>>(
    () => ({
      ns: "workflow",
      columns: doneColumns,
      nameOf: taskName,
      empty: { title: "workflow:process.doneNone", hint: "workflow:process.doneNoneHint" },
      toolbar: (page) => <CategoryFilter page={page} />,
      actions: [
        {
          key: "look",
          label: "workflow:process.look",
          run: (row) => void navigate(instancePath(row.processInstanceId)),
        },
        {
          key: "withdraw",
          label: "workflow:process.withdraw",
          permission: "bpm:task:update",
          hidden: (row) => !row.mayWithdraw,
          run: (row, page) => withdraw(row, page.refresh),
        },
      ],
    }),
    [navigate],
  );
  const page = useCrudPage<TaskRow>(doneEntity, options);
  useFreshOnReturn(page.refresh);
  const openDetail = (row: TaskRow) => void navigate(instancePath(row.processInstanceId));
  return <CrudPage page={{ ...page, openDetail }} options={options} name="bpm/task/done" />;
}
