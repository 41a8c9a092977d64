import { lazy, Suspense, useRef, useState } from "react";
import { useTranslation } from "@/kernel/i18n";
import { formatTime } from "@/kernel/rules";
import { ErrorBoundary, useUnsaved } from "@/kernel/ui";
import { useTabTitle } from "@/layout";
import { jumpTo } from "./canvas/view";
import { DrawTools } from "./header/DrawTools";
import { FileTools } from "./header/FileTools";
import { Header } from "./header/Header";
import { MoreMenu } from "./header/MoreMenu";
import { Messages } from "./Messages";
import { useDesigner } from "./useDesigner";
import type { StoredModel } from "./useSaving";
import "./designer.css";

const Panel = lazy(() =>
  import("./panel/PropertiesPanel").then((part) => ({ default: part.PropertiesPanel })),
);
const Simulation = lazy(() =>
  import("./simulation/Simulation").then((part) => ({ default: part.Simulation })),
);
const PreviewDialog = lazy(() =>
  import("./header/PreviewDialog").then((part) => ({ default: part.PreviewDialog })),
);
const ShortcutHelp = lazy(() =>
  import("./header/ShortcutHelp").then((part) => ({ default: part.ShortcutHelp })),
);
const ProblemPanel = lazy(() =>
  import("./lint/ProblemPanel").then((part) => ({ default: part.ProblemPanel })),
);
const ComparePanel = lazy(() =>
  import("./compare/ComparePanel").then((part) => ({ default: part.ComparePanel })),
);

interface Props {
  /** The model that is drawn; without one it is a place to open, edit and download. */
  model?: StoredModel;
  /** Fetches the model anew. */
  reload: () => void;
}

/** Draws a process: canvas, header and properties. */
export function Designer({ model, reload }: Props) {
  const { t } = useTranslation("designer");
  const place = useRef<HTMLDivElement>(null);
  const work = useDesigner(place, model, reload);
  const { sheet, history } = work;
  const [shown, setShown] = useState<"xml" | "json" | "keys" | null>(null);
  const [list, setList] = useState<"problems" | "compare" | null>(null);
  const [simulating, setSimulating] = useState(false);
  const title = model ? t("head.title", { name: model.name }) : t("head.scratch");
  useTabTitle(title);
  useUnsaved(history.dirty);
  const toggle = (what: "problems" | "compare") => setList((now) => (now === what ? null : what));

  return (
    <div className="designer" aria-busy={sheet === null && !work.problem}>
      <Header
        title={title}
        note={noteOf(history.dirty, work.draft.at, Boolean(model), t)}
        sheet={sheet}
        simulating={simulating}
        onSimulate={() => setSimulating(!simulating)}
        problems={work.problems}
        listing={list === "problems"}
        onList={() => toggle("problems")}
        save={model ? { busy: work.saving, run: () => void work.save() } : undefined}
        more={
          <MoreMenu
            sheet={sheet}
            disabled={simulating}
            onCompare={model?.processDefinition ? () => toggle("compare") : undefined}
            onHelp={() => setShown("keys")}
            onDialect={(dialect) => void work.speak(dialect)}
          />
        }
      >
        <FileTools
          disabled={simulating}
          onOpen={(file) => void work.openFile(file)}
          onDownload={(kind) => void work.download(kind)}
          onPreview={setShown}
        />
        <DrawTools
          sheet={sheet}
          disabled={simulating}
          scale={work.scale}
          canUndo={history.canUndo}
          canRedo={history.canRedo}
          onRedraw={() => void work.redraw()}
        />
      </Header>
      <Messages work={work} />
      <div className="designer-work">
        <div className="designer-middle">
          <div ref={place} className="designer-canvas" {...work.drop}>
            {simulating && sheet ? (
              <Suspense fallback={null}>
                <Simulation
                  read={work.readXml}
                  dialect={sheet.opened.dialect}
                  onEnd={() => setSimulating(false)}
                />
              </Suspense>
            ) : null}
          </div>
          <Suspense fallback={null}>
            {list === "problems" && sheet ? (
              <ProblemPanel
                problems={work.problems}
                onPick={(id) => jumpTo(sheet.modeler, id)}
                onClose={() => setList(null)}
              />
            ) : null}
            {list === "compare" && sheet && model ? (
              <ComparePanel
                sheet={sheet}
                modelKey={model.key}
                changes={history.changes}
                onClose={() => setList(null)}
              />
            ) : null}
          </Suspense>
        </div>
        <div className="designer-side" inert={simulating}>
          <ErrorBoundary>
            <Suspense fallback={null}>
              {sheet ? <Panel modeler={sheet.modeler} dialect={sheet.opened.dialect} model={model} /> : null}
            </Suspense>
          </ErrorBoundary>
        </div>
      </div>
      <Suspense fallback={null}>
        {shown === "keys" ? <ShortcutHelp onClose={() => setShown(null)} /> : null}
        {sheet && (shown === "xml" || shown === "json") ? (
          <PreviewDialog sheet={sheet} kind={shown} onClose={() => setShown(null)} />
        ) : null}
      </Suspense>
    </div>
  );
}

type Translate = ReturnType<typeof useTranslation>["t"];

function noteOf(dirty: boolean, at: number, stored: boolean, t: Translate): string {
  if (!dirty) return stored ? t("head.unchanged") : "";
  return at ? t("head.autosaved", { time: formatTime(at, "HH:mm") }) : t("head.unsaved");
}
