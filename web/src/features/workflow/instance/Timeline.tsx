import { DictTag } from "@/kernel/dict";
import { useTranslation } from "@/kernel/i18n";
import { TimeText } from "@/kernel/ui";
import { stateOf } from "../viewer/marks";
import type { InstanceData } from "./calls";
import { personText } from "./duration";
import { TaskEntry } from "./TaskEntry";
import { type CommentLine, nodeTypes, type PathNode, type Person } from "./wire";

/** Who decided what, who is waited for, and who follows. */
export function Timeline({ data }: { data: InstanceData }) {
  const { t } = useTranslation("workflow");
  const { activityNodes: nodes, processInstance: instance } = data.detail;
  return (
    <section className="instance-card" aria-label={t("instance.timeline")}>
      <h2>{t("instance.timeline")}</h2>
      <ol className="way">
        {nodes.map((node, index) => (
          <Entry
            // biome-ignore lint/suspicious/noArrayIndexKey: a step that was reached again stands there again
            key={`${node.id}-${index}`}
            node={node}
            starter={instance.startUser}
            reason={instance.reason}
            comments={data.comments}
          />
        ))}
      </ol>
    </section>
  );
}

interface EntryProps {
  node: PathNode;
  starter: Person | null;
  /** Why the instance ended as it did. */
  reason: string;
  comments: readonly CommentLine[];
}

function Entry({ node, starter, reason, comments }: EntryProps) {
  const { t } = useTranslation("workflow");
  const state = node.predicted ? "" : (stateOf(node.status) ?? "");
  const fallback = node.nodeType === nodeTypes.start ? t("instance.start") : t("instance.end");
  return (
    <li className={`way-step is-${node.predicted ? "predicted" : state || "none"}`}>
      <div className="way-name">
        <strong>{node.nodeType === nodeTypes.decision ? node.name || node.id : node.name || fallback}</strong>
        {node.predicted ? (
          <span className="way-note">{t("instance.predicted")}</span>
        ) : node.nodeType === nodeTypes.end ? (
          <DictTag type="bpm_process_instance_result" value={node.status} />
        ) : null}
      </div>
      {node.nodeType === nodeTypes.start && !node.predicted ? (
        <div className="way-note">
          {personText(starter)} <TimeText value={node.startTime} />
        </div>
      ) : null}
      {node.nodeType === nodeTypes.end && node.endTime ? (
        <>
          <TimeText value={node.endTime} />
          {reason ? <p className="way-opinion">{reason}</p> : null}
        </>
      ) : null}
      {node.predicted && node.nodeType === nodeTypes.decision ? (
        <Candidates people={node.candidateUsers} />
      ) : null}
      {node.tasks.map((task) => (
        <TaskEntry key={task.id} task={task} comments={comments} />
      ))}
    </li>
  );
}

function Candidates({ people }: { people: readonly Person[] }) {
  const { t } = useTranslation("workflow");
  return (
    <div className="way-note">
      {people.length > 0 ? people.map(personText).join("、") : t("instance.nobodyFound")}
    </div>
  );
}
