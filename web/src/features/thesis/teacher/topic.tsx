import { useMemo } from "react";
import { type CrudOptions, CrudPage, entityOf, useCrudPage } from "@/kernel/crud";
import { useTranslation } from "@/kernel/i18n";
import { useSession } from "@/kernel/session";
import type { Topic } from "./calls";
import { topicActions, topicColumns } from "./topicColumns";

const name = "thesis/topic";
const entity = entityOf(name);
const columns = topicColumns(false);

/** The topics I offer: write, publish, close. */
export default function MyTopicPage() {
  useTranslation("thesis");
  const advisorId = useSession((state) => Number(state.teacherDto?.id ?? 0));
  const options = useMemo<CrudOptions<Topic>>(
    () => ({
      ns: "thesis",
      title: "thesis:topic.mine",
      description: "thesis:topic.about",
      columns,
      actions: topicActions,
      fixed: { advisorId },
      nameOf: (row) => row.title,
    }),
    [advisorId],
  );
  const page = useCrudPage<Topic>(entity, options);
  return <CrudPage page={page} options={options} name="thesis/topic-mine" />;
}
