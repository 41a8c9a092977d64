import { type Dialect, dialects } from "./dialect";

const KEY = "bpmn-dialect";

/** The engine whose extensions new files speak, and files that speak none. */
export function standardDialect(): Dialect {
  const kept = localStorage.getItem(KEY);
  return dialects.find((dialect) => dialect === kept) ?? "camunda";
}

export function setStandardDialect(dialect: Dialect): void {
  localStorage.setItem(KEY, dialect);
}
