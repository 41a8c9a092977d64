import { Alert } from "antd";
import { type CSSProperties, lazy, Suspense, useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "@/kernel/i18n";
import { EmptyState } from "@/kernel/ui";
import { HoverCard } from "./HoverCard";
import { type History, type Marks, marksOf, stepStates } from "./marks";
import { stateName } from "./names";
import { StepList } from "./StepList";
import type { Step } from "./steps";
import { Toolbar } from "./Toolbar";
import { type Diagram, useDiagram } from "./useDiagram";
import { useHover } from "./useHover";
import { useMarks } from "./useMarks";
import "./viewer.css";

const TaskRecords = lazy(() => import("./TaskRecords").then((part) => ({ default: part.TaskRecords })));

/** What a diagram is shown with. */
export interface DiagramProps {
  xml: string;
  /** What the process is called: for files, prints and screen readers. */
  name: string;
  /** What happened, when it is the diagram of an instance; keep it the same object while it is the same. */
  history?: History;
  /** Height of the drawing in pixels. */
  height?: number;
}

/** A process drawn to be read: where an instance stands, who decided what. Nothing can be changed. */
export function DiagramViewer({ xml, name, history, height }: DiagramProps) {
  const { t } = useTranslation("workflow");
  const frame = useRef<HTMLElement>(null);
  const place = useRef<HTMLDivElement>(null);
  const [opened, setOpened] = useState<Step | null>(null);
  const marks = useMemo(() => (history ? marksOf(history) : null), [history]);
  const diagram = useDiagram(place, xml, Boolean(history));
  const { viewer, steps } = diagram;
  useMarks(viewer, marks);
  const label = `${t("viewer.title", { name })}。${t("viewer.keys")}`;
  useEffect(() => {
    const drawing = viewer ? place.current?.querySelector("svg") : null;
    // Arrow keys move the drawing, so a screen reader has to hand them through.
    drawing?.setAttribute("role", "application");
    drawing?.setAttribute("aria-label", label);
  }, [viewer, label]);
  const markOf = (step: Step) => marks?.steps.get(step.id);
  const open = (step: Step) => {
    if (markOf(step)?.tasks.length) setOpened(step);
  };
  const { hovered, keep, leave } = useHover(viewer, steps, frame, open);
  const openedMark = opened ? markOf(opened) : undefined;
  const blank = diagram.status === "empty" || diagram.status === "failed";
  return (
    <section
      ref={frame}
      className={blank ? "diagram is-blank" : "diagram"}
      aria-label={t("viewer.title", { name })}
      aria-busy={diagram.status === "loading"}
    >
      {viewer ? (
        <div className="diagram-tools">
          <Legend marks={marks} />
          <Toolbar viewer={viewer} name={name} frame={frame} />
        </div>
      ) : null}
      <Problems diagram={diagram} />
      <div
        ref={place}
        className="diagram-canvas"
        style={{ "--diagram-height": height ? `${height}px` : undefined } as CSSProperties}
      />
      {hovered ? (
        <HoverCard
          hovered={hovered}
          mark={markOf(hovered.step)}
          instance={history?.instance}
          onEnter={keep}
          onLeave={leave}
        />
      ) : null}
      <StepList steps={steps} marks={marks} open={blank} onOpen={open} />
      <Suspense fallback={null}>
        {opened && openedMark ? (
          <TaskRecords
            step={opened}
            mark={openedMark}
            container={frame.current}
            onClose={() => setOpened(null)}
          />
        ) : null}
      </Suspense>
    </section>
  );
}

/** The states that occur, so that the colours need no guessing. */
function Legend({ marks }: { marks: Marks | null }) {
  const { t } = useTranslation("workflow");
  const present = new Set([...(marks?.steps.values() ?? [])].map((mark) => mark.state));
  const states = stepStates.filter((state) => present.has(state));
  if (states.length === 0) return <span />;
  return (
    <ul className="diagram-legend" aria-label={t("viewer.legend")}>
      {states.map((state) => (
        <li key={state}>
          <span className={`diagram-swatch step-${state}`} aria-hidden="true" />
          {stateName(state)}
        </li>
      ))}
    </ul>
  );
}

/** What could not be shown, and why. */
function Problems({ diagram }: { diagram: Diagram }) {
  const { t } = useTranslation("workflow");
  switch (diagram.status) {
    case "empty":
      return <EmptyState title={t("viewer.noDiagram")} hint={t("viewer.noDiagramHint")} />;
    case "failed":
      return <Alert type="error" role="alert" title={t("viewer.failed")} description={diagram.problem} />;
    case "ready":
      if (diagram.warnings.length === 0) return null;
      return (
        <Alert
          type="warning"
          title={t("viewer.importFailed", { n: diagram.warnings.length })}
          description={
            <ul className="diagram-warnings">
              {[...new Set(diagram.warnings)].map((text) => (
                <li key={text}>{text}</li>
              ))}
            </ul>
          }
        />
      );
    default:
      return null;
  }
}
