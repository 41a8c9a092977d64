import { DictTag, findDict, useDict } from "@/kernel/dict";
import { useTranslation } from "@/kernel/i18n";
import { FileImage, FileLink, TimeText } from "@/kernel/ui";
import { signatureId } from "./calls";
import { durationText, personText } from "./duration";
import type { CommentLine, InstanceTask } from "./wire";

/** Comment types that only repeat a decision. */
const DECISIONS: readonly number[] = [1, 2];
/** Types of our own that the dictionary of the family does not hold. */
const ours: Record<number, string> = { 10: "instance.urged", 11: "instance.copied" };

interface Props {
  task: InstanceTask;
  comments: readonly CommentLine[];
}

/** One person's part in a step: the decision or how long it is waited for, and what was said. */
export function TaskEntry({ task, comments }: Props) {
  const { t } = useTranslation("workflow");
  const who = task.assigneeUser ?? task.ownerUser;
  const owner = task.ownerUser && task.ownerUser.id !== who?.id ? task.ownerUser : null;
  const repeats = (line: CommentLine) => line.message !== "" && line.message === task.reason;
  const said = comments.filter(
    (line) => line.taskId === task.id && !DECISIONS.includes(line.type) && !repeats(line),
  );
  return (
    <article className="way-task" aria-label={`${task.name} ${who?.nickname ?? ""}`}>
      <div className="way-name">
        {who ? personText(who) : t("viewer.unassigned")}
        {owner ? <span className="way-note">{t("instance.insteadOf", { name: owner.nickname })}</span> : null}
        <DictTag type="bpm_task_status" value={task.status} />
      </div>
      <div className="way-note">
        <TimeText value={task.createTime} />
        {task.endTime ? (
          <>
            {" → "}
            <TimeText value={task.endTime} /> · {durationText(task.durationInMillis ?? 0)}
          </>
        ) : (
          <> · {t("instance.waited", { time: durationText(Date.now() - task.createTime) })}</>
        )}
      </div>
      {task.reason ? <p className="way-opinion">{task.reason}</p> : null}
      <Signature url={task.signPicUrl} who={who?.nickname ?? ""} />
      <Attachments task={task} />
      {said.map((line) => (
        <Said key={line.id} line={line} />
      ))}
      {task.children.length > 0 ? (
        <div className="way-signers">
          {task.children.map((signer) => (
            <TaskEntry key={signer.id} task={signer} comments={comments} />
          ))}
        </div>
      ) : null}
    </article>
  );
}

/** Uploaded files to save; addresses that other systems of the family keep as links. */
function Attachments({ task }: { task: InstanceTask }) {
  const { t } = useTranslation("workflow");
  const outside = task.attachments.filter((address) => signatureId(address) === 0);
  if (task.attachmentFiles.length + outside.length === 0) return null;
  return (
    <ul className="way-files" aria-label={t("instance.attachments")}>
      {task.attachmentFiles.map((file) => (
        <li key={file.id}>
          <FileLink id={file.id} name={file.name} />
        </li>
      ))}
      {outside.map((address) => (
        <li key={address}>
          <a href={address} target="_blank" rel="noopener noreferrer">
            {t("instance.attachment")}
          </a>
        </li>
      ))}
    </ul>
  );
}

function Signature({ url, who }: { url: string; who: string }) {
  const { t } = useTranslation("workflow");
  const id = signatureId(url);
  return id > 0 ? <FileImage id={id} alt={t("instance.signatureOf", { who })} width={120} /> : null;
}

function Said({ line }: { line: CommentLine }) {
  const { t } = useTranslation("workflow");
  const known = findDict(useDict("bpm_comment_type"), line.type)?.label;
  const what = ours[line.type] ? t(ours[line.type] ?? "") : (known ?? "");
  return (
    <div className="way-said">
      <span className="way-note">
        {line.user?.nickname} · {what} · <TimeText value={line.createTime} />
      </span>
      {line.message ? <div>{line.message}</div> : null}
    </div>
  );
}
