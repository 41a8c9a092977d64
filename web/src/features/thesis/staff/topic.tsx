import { crudPage } from "@/kernel/crud";
import type { Topic } from "../teacher/calls";
import { topicActions, topicColumns } from "../teacher/topicColumns";

/** Every topic in the reader's scope, whoever offers it. */
export default crudPage<Topic>("thesis/topic", {
  ns: "thesis",
  description: "thesis:topic.staffAbout",
  columns: topicColumns(true),
  actions: topicActions,
  nameOf: (row) => row.title,
});
