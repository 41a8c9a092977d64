import { DndContext, DragOverlay, MouseSensor, useSensor, useSensors } from "@dnd-kit/core";
import { Alert, Button, Flex } from "antd";
import { lazy, Suspense, useMemo, useState } from "react";
import { errorText } from "@/kernel/api/errors";
import { useTranslation } from "@/kernel/i18n";
import { formatTime } from "@/kernel/rules";
import { toast, useMobile, useUnsaved } from "@/kernel/ui";
import { useTabTitle } from "@/layout";
import { announcementsOf, collisions, draggedName, drop } from "./drag";
import { EditorHead } from "./EditorHead";
import { EditorPanels } from "./EditorPanels";
import type { Design } from "./history";
import { readItems } from "./model";
import { problemsOf } from "./problems";
import { useAutosave } from "./useAutosave";
import { type DesignState, useDesign } from "./useDesign";
import { type ProcessForm, type StoredDesign, storedOf, useSaveDesign } from "./useFormRecord";
import { useUndoKeys } from "./useUndoKeys";
import "./builder.css";
import "./form.css";

const Preview = lazy(() => import("./Preview").then((part) => ({ default: part.Preview })));

const designOf = ({ conf, fields }: StoredDesign): Design => ({ conf, items: readItems(fields) });

interface Props {
  form: ProcessForm;
  /** Fetches the form anew and gives it. */
  reload: () => Promise<ProcessForm | undefined>;
}

/** Designs a form: palette, canvas and properties, with undo, draft and preview. */
export function FormEditor({ form, reload }: Props) {
  const { t } = useTranslation(["workflow", "kernel"]);
  const work = useWork(form, reload);
  const { state, dirty, draft } = work;
  const [previewing, setPreviewing] = useState(false);
  const page = useUndoKeys(state.acts);
  const problems = useMemo(() => problemsOf(state.design.items), [state.design.items]);
  useTabTitle(t("builder.title", { name: form.name }));
  useUnsaved(dirty);

  return (
    <div ref={page} className="builder">
      <EditorHead
        form={form}
        state={state}
        note={
          dirty
            ? draft.at
              ? t("builder.autosaved", { time: formatTime(draft.at, "HH:mm") })
              : t("builder.unsaved")
            : t("builder.unchanged")
        }
        saving={work.saving}
        onPreview={() => setPreviewing(true)}
        onSave={() => void work.save(problems.length)}
      />
      {draft.found ? (
        <Alert
          type="info"
          className="builder-note"
          title={t("builder.draftFound", { time: formatTime(draft.found.at) })}
          action={
            <Flex gap={4}>
              <Button size="small" onClick={work.restore}>
                {t("kernel:form.draftRestore")}
              </Button>
              <Button size="small" type="text" onClick={draft.answer}>
                {t("kernel:form.draftDrop")}
              </Button>
            </Flex>
          }
        />
      ) : null}
      {work.refused && problems.length > 0 ? (
        <ProblemList problems={problems} onPick={state.acts.select} />
      ) : null}
      {work.problem ? (
        <Alert type="error" role="alert" className="builder-note" title={work.problem} />
      ) : null}
      <Dragging state={state}>
        <EditorPanels state={state} problems={problems} />
      </Dragging>
      <Suspense fallback={null}>
        {previewing ? (
          <Preview name={form.name} items={state.design.items} onClose={() => setPreviewing(false)} />
        ) : null}
      </Suspense>
    </div>
  );
}

/** The design with its draft and its way to the server. */
function useWork(form: ProcessForm, reload: Props["reload"]) {
  const { t } = useTranslation("workflow");
  const state = useDesign(useMemo(() => designOf(form), [form]));
  // What the server has, as the design that was sent: undoing back to it is no change.
  const [stored, setStored] = useState(state.design);
  const dirty = state.design !== stored;
  const draft = useAutosave(form.id, form, state.design, dirty);
  const { saving, save } = useSaveDesign();
  const [refused, setRefused] = useState(false);
  const [problem, setProblem] = useState("");

  const begin = (design: Design) => {
    state.acts.reset(design);
    setStored(design);
    draft.drop();
  };
  const send = async (problems: number) => {
    setProblem("");
    setRefused(problems > 0);
    if (problems > 0) return;
    const sent = state.design;
    try {
      const outcome = await save(form, storedOf(sent));
      if (outcome === "saved") {
        setStored(sent);
        draft.drop();
        toast.success(t("builder.saved", { name: form.name }));
      } else if (outcome === "stale") {
        const fresh = await reload();
        if (fresh) begin(designOf(fresh));
      }
    } catch (error) {
      setProblem(errorText(error));
    }
  };
  const restore = () => {
    if (draft.found) state.acts.replace(designOf(draft.found.values));
    draft.answer();
  };
  return { state, dirty, draft, saving, refused, problem, save: send, restore };
}

interface ListProps {
  problems: ReturnType<typeof problemsOf>;
  onPick: (key: string) => void;
}

function ProblemList({ problems, onPick }: ListProps) {
  const { t } = useTranslation("workflow");
  return (
    <Alert
      type="error"
      role="alert"
      className="builder-note"
      title={t("builder.problems", { total: problems.length })}
      description={
        <ul className="builder-problems">
          {problems.map(({ key, text }) => (
            <li key={`${key}:${text}`}>
              <Button type="link" size="small" onClick={() => onPick(key)}>
                {text}
              </Button>
            </li>
          ))}
        </ul>
      }
    />
  );
}

/** Dragging with a mouse; a finger scrolls, and buttons move for whoever has neither. */
function Dragging({ state, children }: { state: DesignState; children: React.ReactNode }) {
  const { t } = useTranslation("workflow");
  const mobile = useMobile();
  const [dragged, setDragged] = useState("");
  const mouse = useSensor(MouseSensor, { activationConstraint: { distance: 6 } });
  const sensors = useSensors(mobile ? null : mouse);
  const { items } = state.design;
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={collisions}
      accessibility={{
        announcements: announcementsOf(items, t),
        screenReaderInstructions: { draggable: t("builder.dragHelp") },
      }}
      onDragStart={({ active }) => setDragged(String(active.id))}
      onDragCancel={() => setDragged("")}
      onDragEnd={(event) => {
        setDragged("");
        drop(items, event, state.acts);
      }}
    >
      {children}
      <DragOverlay dropAnimation={null}>
        {dragged ? <div className="builder-dragged">{draggedName(items, dragged, t)}</div> : null}
      </DragOverlay>
    </DndContext>
  );
}
