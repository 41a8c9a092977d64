import { Tag } from "antd";
import { Link } from "react-router";
import { useTranslation } from "@/kernel/i18n";
import { useTodo } from "../decide/calls";
import { WaitingText } from "../shared/DueText";
import { useMenuPath } from "../shared/menuPath";
import { Section } from "../shared/Section";
import type { Todo } from "../shared/subjectWire";
import { type ProcessTask, useProcessTodo } from "./calls";

const SHOWN = 8;

/** Where the reader decides: topics, and tasks of processes; null for what is not his. */
export function useTodoPaths() {
  return { topics: useMenuPath("teacher/todo"), processes: useMenuPath("bpm/task/todo/index") };
}

/** All that waits for the reader in one place, each with its waiting time. */
export function TodoCard() {
  const { t } = useTranslation("thesis");
  const paths = useTodoPaths();
  const topics = useTodo({ keyword: "", level: 0 }, SHOWN, paths.topics !== null);
  const tasks = useProcessTodo(SHOWN, paths.processes !== null);
  if (!paths.topics && !paths.processes) return null;
  if (topics.error && !tasks) return null;
  const known = (!paths.topics || topics.data !== undefined) && (!paths.processes || tasks !== undefined);
  const total = (topics.data?.total ?? 0) + (tasks?.total ?? 0);
  const both = paths.topics !== null && paths.processes !== null;
  return (
    <Section
      title={t("home.todo", { n: total })}
      more={
        <span className="th-more">
          {paths.topics ? <Link to={paths.topics}>{t(both ? "home.allTopics" : "home.all")}</Link> : null}
          {paths.processes ? (
            <Link to={paths.processes}>{t(both ? "home.allTasks" : "home.all")}</Link>
          ) : null}
        </span>
      }
    >
      {known && total === 0 ? <p className="th-quiet">{t("home.nothingWaits")}</p> : null}
      <ul className="th-list">
        {paths.topics
          ? (topics.data?.list ?? []).map((row) => <Topic key={row.id} row={row} path={paths.topics ?? ""} />)
          : null}
        {(tasks?.list ?? []).map((task) => (
          <Task key={task.id} task={task} />
        ))}
      </ul>
    </Section>
  );
}

function Topic({ row, path }: { row: Todo; path: string }) {
  const { t } = useTranslation("thesis");
  return (
    <li>
      <Link className="th-item" to={`${path}?id=${row.id}`}>
        <span className="th-item-title">{row.newTitleZh || row.titleZh}</span>
        <span className="th-item-meta">
          <span>
            {row.studentName} · {row.deptName}
          </span>
          {row.newTitleZh ? <Tag color="warning">{t("decide.isChange")}</Tag> : null}
          <WaitingText since={row.waitingSince} now={Date.now()} />
        </span>
      </Link>
    </li>
  );
}

function Task({ task }: { task: ProcessTask }) {
  const { startUser, name } = task.processInstance;
  const query = new URLSearchParams({ id: task.processInstanceId, taskId: task.id });
  return (
    <li>
      <Link className="th-item" to={`/bpm/process-instance/detail?${query}`}>
        <span className="th-item-title">{name}</span>
        <span className="th-item-meta">
          <span>{[startUser?.nickname, startUser?.deptName, task.name].filter(Boolean).join(" · ")}</span>
          <WaitingText since={task.createTime} now={Date.now()} />
        </span>
      </Link>
    </li>
  );
}
