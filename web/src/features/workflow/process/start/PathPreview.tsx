import { Alert, Skeleton } from "antd";
import { useId } from "react";
import { errorText } from "@/kernel/api/errors";
import { RefSelect } from "@/kernel/crud";
import { useTranslation } from "@/kernel/i18n";
import { personText } from "../../instance/duration";
import type { PathNode } from "../wire";
import type { Picks } from "./calls";

const START = 0;
const TASK = 11;
const STARTER_PICKS = 35;
const SHOWN = 3;

/** The tasks whose deciders the starter has to choose. */
export function toPick(nodes: readonly PathNode[]): PathNode[] {
  return nodes.filter((node) => node.nodeType === TASK && node.candidateStrategy === STARTER_PICKS);
}

/** The tasks for which nobody was chosen yet. */
export function unpicked(nodes: readonly PathNode[], picks: Picks): PathNode[] {
  return toPick(nodes).filter((node) => !picks[node.id]?.length);
}

interface Props {
  nodes: readonly PathNode[] | undefined;
  error: unknown;
  picks: Picks;
  onPick: (picks: Picks) => void;
  /** Sending was tried: what is missing is marked. */
  tried: boolean;
}

/** Which steps follow and who decides them, as far as the form tells by now. */
export function PathPreview({ nodes, error, picks, onPick, tried }: Props) {
  const { t } = useTranslation("workflow");
  const id = useId();
  return (
    <section className="pr-box" aria-labelledby={id}>
      <h2 id={id}>{t("start.path")}</h2>
      {error ? <Alert type="warning" title={t("start.pathFailed", { reason: errorText(error) })} /> : null}
      {!nodes && !error ? <Skeleton active title={false} /> : null}
      <ol className="pr-path" aria-live="polite">
        {(nodes ?? []).map((node) => (
          <li key={node.id} className="pr-step">
            <div className="pr-path-name">{node.name || t("start.unnamed")}</div>
            <Deciders
              node={node}
              value={picks[node.id] ?? []}
              missing={tried && !picks[node.id]?.length}
              onChange={(people) => onPick({ ...picks, [node.id]: people })}
            />
          </li>
        ))}
      </ol>
      {nodes ? <p className="pr-quiet">{t("start.pathNote")}</p> : null}
    </section>
  );
}

interface DecidersProps {
  node: PathNode;
  value: number[];
  missing: boolean;
  onChange: (people: number[]) => void;
}

function Deciders({ node, value, missing, onChange }: DecidersProps) {
  const { t } = useTranslation("workflow");
  const error = useId();
  if (node.nodeType === START) return <div className="pr-quiet">{t("start.byYou")}</div>;
  if (node.nodeType !== TASK) return null;
  if (node.candidateStrategy === STARTER_PICKS) {
    return (
      <div aria-describedby={missing ? error : undefined}>
        <RefSelect
          path="/system/user/list-all-simple"
          multiple
          aria-label={t("start.pick", { name: node.name })}
          placeholder={t("start.pick", { name: node.name })}
          value={value}
          onChange={(next) => onChange((next as number[] | undefined) ?? [])}
        />
        {missing ? (
          <div id={error} className="pr-late">
            {t("start.pick", { name: node.name })}
          </div>
        ) : null}
      </div>
    );
  }
  if (node.candidateUsers.length === 0) return <div className="pr-quiet">{t("start.nobodyYet")}</div>;
  const names = node.candidateUsers.slice(0, SHOWN).map(personText).join("、");
  const rest = node.candidateUsers.length - SHOWN;
  return (
    <div className="pr-quiet">
      {rest > 0 ? t("start.andMore", { names, count: node.candidateUsers.length }) : names}
    </div>
  );
}
