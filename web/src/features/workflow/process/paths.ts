/** The page of an instance; with a task when that one is to be decided. */
export function instancePath(id: string | number, task?: string | number): string {
  const query = new URLSearchParams({ id: String(id) });
  if (task) query.set("taskId", String(task));
  return `/bpm/process-instance/detail?${query}`;
}

/** The page that starts a process, begun with what an earlier instance was sent with. */
export function startPath(key: string, from?: string | number): string {
  const query = new URLSearchParams({ key });
  if (from) query.set("from", String(from));
  return `/bpm/task/create?${query}`;
}
