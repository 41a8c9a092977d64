import { useScope } from "../kit/scope";
import { ListenerTable } from "./ListenerTable";

/** What runs in the life of a user task. */
export function TaskListenerProps() {
  const { bo } = useScope();
  return <ListenerTable use="task" of={bo} />;
}
