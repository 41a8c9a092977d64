import { Badge, Segmented } from "antd";
import { useMemo } from "react";
import { useNavigate, useSearchParams } from "react-router";
import { useAccess } from "@/kernel/access";
import { type CrudOptions, CrudPage, type CrudPageHandle, type Entity, useCrudPage } from "@/kernel/crud";
import { t, useTranslation } from "@/kernel/i18n";
import { toast } from "@/kernel/ui";
import { CategoryFilter } from "../model/CategoryFilter";
import { claimTask, useTaskCount } from "./calls";
import { claimableEntity, todoEntity } from "./entities";
import { instancePath } from "./paths";
import { openColumns, taskName } from "./taskColumns";
import { useFreshOnReturn } from "./useFreshOnReturn";
import type { TaskRow } from "./wire";

const lists = { todo: TodoList, claimable: ClaimableList } as const;

type ListName = keyof typeof lists;

/** What waits for me: assigned to me, and offered to several of whom one takes it. */
export default function TodoPage() {
  const { t: text } = useTranslation("workflow");
  const [search, setSearch] = useSearchParams();
  const may = useAccess().hasPermission(["bpm:task:query"]);
  const shown: ListName = search.get("tab") === "claimable" ? "claimable" : "todo";
  const counts = { todo: useTaskCount("todo", may), claimable: useTaskCount("claimable", may) };
  const List = lists[shown];
  const choose = (next: ListName) => setSearch(next === "todo" ? {} : { tab: next }, { replace: true });
  const choices = (["todo", "claimable"] as const).map((value) => ({
    value,
    label: (
      <>
        {text(`process.${value}`)} <Badge count={counts[value]} overflowCount={999} size="small" />
      </>
    ),
  }));
  return (
    <>
      {may ? (
        <Segmented<ListName>
          aria-label={text("process.lists")}
          style={{ marginBottom: 12 }}
          value={shown}
          onChange={choose}
          options={choices}
        />
      ) : null}
      <List key={shown} />
    </>
  );
}

/** A list whose quick look closes with the act: what it showed is no longer so. */
function useTaskList(entity: Entity, options: CrudOptions<TaskRow>) {
  const page = useCrudPage<TaskRow>(entity, options);
  useFreshOnReturn(page.refresh);
  const actions = page.actions.map((action) => ({
    ...action,
    run: (row: TaskRow, handle: CrudPageHandle<TaskRow>) => {
      page.closeDetail();
      return action.run(row, handle);
    },
  }));
  return { ...page, actions };
}

/** A press on the row gives a quick look; deciding needs the whole page of the instance. */
function TodoList() {
  const navigate = useNavigate();
  const options = useMemo<CrudOptions<TaskRow>>(
    () => ({
      ns: "workflow",
      columns: openColumns,
      nameOf: taskName,
      empty: { title: "workflow:process.todoNone", hint: "workflow:process.todoNoneHint" },
      toolbar: (page) => <CategoryFilter page={page} />,
      actions: [
        {
          key: "decide",
          label: "workflow:process.decide",
          run: (row) => void navigate(instancePath(row.processInstanceId, row.id)),
        },
      ],
    }),
    [navigate],
  );
  const page = useTaskList(todoEntity, options);
  return <CrudPage page={page} options={options} name="bpm/task/todo" />;
}

async function claim(row: TaskRow, refresh: () => Promise<void>): Promise<void> {
  try {
    await claimTask(row.id);
    toast.success(t("workflow:process.claimed", { name: taskName(row) }));
  } catch (error) {
    console.error(error); // the client has shown why, mostly that somebody was faster
  }
  await refresh();
}

function ClaimableList() {
  const options = useMemo<CrudOptions<TaskRow>>(
    () => ({
      ns: "workflow",
      description: "workflow:process.claimAbout",
      columns: openColumns,
      nameOf: taskName,
      empty: { title: "workflow:process.claimNone", hint: "workflow:process.claimNoneHint" },
      toolbar: (page) => <CategoryFilter page={page} />,
      actions: [
        {
          key: "claim",
          label: "workflow:process.claim",
          permission: "bpm:task:update",
          run: (row, page) => claim(row, page.refresh),
        },
      ],
    }),
    [],
  );
  const page = useTaskList(claimableEntity, options);
  return <CrudPage page={page} options={options} name="bpm/task/claimable" />;
}
