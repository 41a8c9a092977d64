/** The engine whose extensions a file speaks; each also names the prefix of its elements. */
export type Dialect = "camunda" | "activiti" | "flowable";

/** All dialects, the default first. */
export const dialects: readonly Dialect[] = ["camunda", "activiti", "flowable"];

const uris: Record<Dialect, string> = {
  camunda: "http://camunda.org/schema/1.0/bpmn",
  activiti: "http://activiti.org/bpmn",
  flowable: "http://flowable.org/bpmn",
};

/** The namespace of the extensions. */
export function uriOf(dialect: Dialect): string {
  return uris[dialect];
}

/** The dialect a namespace belongs to. */
export function dialectOfUri(uri: string | undefined): Dialect | undefined {
  return dialects.find((dialect) => uris[dialect] === uri);
}

/** The name of an extension type as the drawing kit knows it: typeOf("flowable", "TaskListener"). */
export function typeOf(dialect: Dialect, name: string): string {
  return `${dialect}:${name}`;
}

/** What the engines are called by their makers. */
export const dialectNames: Record<Dialect, string> = {
  camunda: "Camunda",
  activiti: "Activiti",
  flowable: "Flowable",
};
