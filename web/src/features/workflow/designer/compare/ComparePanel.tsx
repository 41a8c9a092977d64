import { CloseOutlined } from "@ant-design/icons";
import { useQuery } from "@tanstack/react-query";
import { Alert, Button, Select, Skeleton, Tag } from "antd";
import { useEffect, useState } from "react";
import { get } from "@/kernel/api/client";
import { errorText } from "@/kernel/api/errors";
import { useTranslation } from "@/kernel/i18n";
import { formatTime } from "@/kernel/rules";
import { definitionXml } from "../../model/calls";
import { write } from "../canvas/drawing";
import { jumpTo } from "../canvas/view";
import { drawnId } from "../fidelity/ids";
import type { Sheet } from "../useDrawing";
import { type Change, changesBetween } from "./changes";

interface Version {
  id: string;
  version: number;
  deploymentTime: number;
}

interface Props {
  sheet: Sheet;
  modelKey: string;
  changes: number;
  onClose: () => void;
}

/** What is different from a version that was deployed, listed and shown on the drawing. */
export function ComparePanel({ sheet, modelKey, changes, onClose }: Props) {
  const { t } = useTranslation("designer");
  const versions = useQuery({
    queryKey: ["bpmn-versions", modelKey],
    queryFn: () =>
      get<{ list: Version[] }>(
        "/bpm/process-definition/page",
        { key: modelKey, pageNo: 1, pageSize: 100 },
        { silent: true },
      ),
    gcTime: 0,
    retry: false,
  });
  const [chosen, setChosen] = useState<string>();
  const id = chosen ?? versions.data?.list[0]?.id;
  const found = useChanges(sheet, id, changes);
  useHighlights(sheet, found.list);
  const error = versions.error ?? found.error;
  return (
    <section className="designer-list" aria-label={t("compare.title")}>
      <header>
        <strong>{t("compare.title")}</strong>
        <Select
          size="small"
          aria-label={t("compare.version")}
          value={id}
          onChange={setChosen}
          style={{ minWidth: 220 }}
          options={versions.data?.list.map((one) => ({
            value: one.id,
            label: t("compare.option", { version: one.version, time: formatTime(one.deploymentTime) }),
          }))}
        />
        <Button
          size="small"
          type="text"
          icon={<CloseOutlined />}
          aria-label={t("compare.close")}
          onClick={onClose}
        />
      </header>
      {error ? <Alert type="error" role="alert" title={errorText(error)} /> : null}
      {versions.isPending ? <Skeleton active paragraph={{ rows: 2 }} /> : null}
      {versions.data?.list.length === 0 ? <p>{t("compare.noVersion")}</p> : null}
      {found.list?.length === 0 ? <p>{t("compare.same")}</p> : null}
      <ChangeList list={found.list ?? []} onPick={(element) => jumpTo(sheet.modeler, element)} />
    </section>
  );
}

const colors = { added: "success", removed: "error", changed: "warning" };

function ChangeList({ list, onPick }: { list: Change[]; onPick: (id: string) => void }) {
  const { t } = useTranslation("designer");
  return (
    <ul>
      {list.map((change) => (
        <li key={`${change.what} ${change.id}`}>
          <button type="button" disabled={change.what === "removed"} onClick={() => onPick(change.id)}>
            <Tag color={colors[change.what]}>{t(`compare.${change.what}`)}</Tag>
            <span>{change.name || change.id}</span>
            <span className="designer-quiet">{change.type}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

function useChanges(sheet: Sheet, id: string | undefined, changes: number) {
  const { data, error } = useQuery({
    queryKey: ["bpmn-version", id],
    queryFn: () => definitionXml(id as unknown as Parameters<typeof definitionXml>[0]),
    enabled: id !== undefined,
    retry: false,
  });
  const [list, setList] = useState<Change[]>();
  // biome-ignore lint/correctness/useExhaustiveDependencies(changes): it says when to compare again
  useEffect(() => {
    if (data === undefined) return;
    let gone = false;
    const timer = setTimeout(async () => {
      const { text } = await write(sheet);
      if (!gone) setList(changesBetween(data, text));
    }, 300);
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [sheet, data, changes]);
  return { list, error };
}

function useHighlights(sheet: Sheet, list: Change[] | undefined): void {
  useEffect(() => {
    const canvas = sheet.modeler.get("canvas");
    const registry = sheet.modeler.get("elementRegistry");
    const marked: [string, string][] = [];
    for (const { id: own, what } of list ?? []) {
      const id = drawnId(own);
      const element = registry.get(id);
      if (!element || element === canvas.getRootElement()) continue;
      canvas.addMarker(id, `diff-${what}`);
      marked.push([id, `diff-${what}`]);
    }
    return () => {
      for (const [id, marker] of marked) if (registry.get(id)) canvas.removeMarker(id, marker);
    };
  }, [sheet, list]);
}
