import { useQuery } from "@tanstack/react-query";
import { Form } from "antd";
import { RefSelect } from "@/kernel/crud";
import { useTranslation } from "@/kernel/i18n";
import { type InstanceData, nextNodes } from "./calls";
import { flatTasks, type PathNode } from "./wire";

/** Candidate strategies that leave the choice to people. */
const DECIDER_PICKS = 34;
const STARTER_PICKS = 35;

interface Props {
  taskId: string;
  data: InstanceData;
  variables: Record<string, unknown>;
}

/** Who decides what follows, where the model leaves that to the present decider. */
export function NextPeople({ taskId, data, variables }: Props) {
  const { t } = useTranslation("workflow");
  const { data: nodes = [] } = useQuery({
    queryKey: ["bpm-next", taskId, variables],
    queryFn: () => nextNodes(taskId, variables),
    enabled: isLastDecider(data, taskId),
    gcTime: 0,
    retry: false,
  });
  return nodes.filter(isPicked).map((node) => (
    <Form.Item
      key={node.id}
      name={["nextAssignees", node.id]}
      label={t("instance.nextOf", { name: node.name || node.id })}
      rules={[{ required: true, message: t("instance.personMissing") }]}
    >
      <RefSelect path="/system/user/list-all-simple" multiple />
    </Form.Item>
  ));
}

function isPicked(node: PathNode): boolean {
  const { candidateStrategy: how, candidateUserIds } = node;
  return how === DECIDER_PICKS || (how === STARTER_PICKS && candidateUserIds.length === 0);
}

/** While others decide the same step, the last of them picks. */
function isLastDecider(data: InstanceData, taskId: string): boolean {
  const tasks = flatTasks(data.tasks);
  const mine = tasks.find((task) => task.id === taskId);
  return !tasks.some(
    (task) =>
      task.id !== taskId && task.endTime === null && task.taskDefinitionKey === mine?.taskDefinitionKey,
  );
}
