import { useQueryClient } from "@tanstack/react-query";
import { type DragEvent, type RefObject, useCallback, useEffect, useRef, useState } from "react";
import { errorText } from "@/kernel/api/errors";
import { useTranslation } from "@/kernel/i18n";
import { confirmBox, toast } from "@/kernel/ui";
import { useTabActive } from "@/layout";
import { modelEntity } from "../model/entity";
import { blankDiagram } from "./canvas/blank";
import { fitRoom } from "./canvas/view";
import { type Dialect, dialectNames } from "./dialect";
import { standardDialect } from "./dialectSetting";
import { download, type FileKind } from "./header/files";
import { useProblems } from "./lint/useProblems";
import { useDrawingDraft } from "./useDraft";
import { type Sheet, useDrawing } from "./useDrawing";
import { useHistory } from "./useHistory";
import { useOpening } from "./useOpening";
import { type StoredModel, useSaving } from "./useSaving";
import { useZoom } from "./useZoom";

/** Everything the designer's page is made of. */
export type DesignerWork = ReturnType<typeof useDesigner>;

/** The drawing of a model with all its ways in and out. */
export function useDesigner(
  place: RefObject<HTMLDivElement | null>,
  model: StoredModel | undefined,
  reload: () => void,
) {
  const { t } = useTranslation("designer");
  const client = useQueryClient();
  const { sheet, show } = useDrawing(place);
  const history = useHistory(sheet);
  const scale = useZoom(sheet);
  const opening = useOpening(show);
  const saving = useSaving(model);
  const problems = useProblems(sheet, history.changes);
  const stored = model?.bpmnXml ?? "";
  const changes = history.dirty ? history.changes : null;
  const draft = useDrawingDraft(`bpm/model/diagram:${model?.id ?? "scratch"}`, stored, sheet, changes);
  const [quiet, setQuiet] = useState<Sheet | null>(null);
  useFirstDrawing(opening.openText, model);
  useResizing(sheet);
  useSpokenDialect(sheet);

  const { openText } = opening;
  const blank = useCallback(
    (dialect = standardDialect()) => openText(blankDiagram(dialect, model), "elsewhere", dialect),
    [openText, model],
  );
  const save = async () => {
    if (!sheet) return;
    const outcome = await saving.save(sheet);
    if (outcome === "kept") return;
    draft.drop();
    // The list of models says which have a diagram.
    void client.invalidateQueries({ queryKey: [modelEntity.path] });
    if (outcome === "saved") history.markStored();
    else reload();
  };
  return {
    sheet,
    history,
    scale,
    problems,
    draft,
    quiet,
    hush: () => setQuiet(sheet),
    problem: opening.problem || saving.problem,
    dismiss: () => {
      opening.dismiss();
      saving.dismiss();
    },
    saving: saving.busy,
    save,
    // Under the names of the drawing kit, as it is drawn again and not kept.
    readXml: async () => (await sheet?.modeler.saveXML())?.xml ?? "",
    openFile: (file: File) => opening.openFile(file, history.dirty),
    download: (kind: FileKind) =>
      sheet
        ? download(sheet, kind).catch((cause) => {
            console.warn(cause);
            toast.error(t("file.failed", { reason: errorText(cause) }));
          })
        : Promise.resolve(),
    redraw: async () => {
      const ask = { content: t("redraw.ask"), okText: t("redraw.ok"), danger: true };
      if (await confirmBox(ask)) await blank();
    },
    restore: async () => {
      if (draft.found && (await openText(draft.found.values.text, "elsewhere"))) draft.answer();
    },
    /** New files speak it; so does one that speaks none and was not touched. */
    speak: async (dialect: Dialect) => {
      toast.info(t("more.dialectSet", { name: dialectNames[dialect] }));
      if (!sheet || history.dirty || sheet.opened.found || sheet.opened.dialect === dialect) return;
      await openText(sheet.opened.original, sheet.origin, dialect);
    },
    drop: useDrop((file) => void opening.openFile(file, history.dirty)),
  };
}

/** Draws what is stored, or an empty sheet, once. */
function useFirstDrawing(openText: DesignerOpen, model: StoredModel | undefined): void {
  const begun = useRef(false);
  useEffect(() => {
    if (begun.current) return;
    begun.current = true;
    const dialect = standardDialect();
    if (model?.bpmnXml) void openText(model.bpmnXml, "stored");
    else void openText(blankDiagram(dialect, model), "new", dialect);
  }, [openText, model]);
}

type DesignerOpen = ReturnType<typeof useOpening>["openText"];

/** A hidden tab has no size; when it shows again the canvas has to measure itself. */
function useResizing(sheet: Sheet | null): void {
  const { t } = useTranslation("designer");
  const active = useTabActive();
  useEffect(() => {
    if (!sheet || !active) return;
    const canvas = sheet.modeler.get("canvas");
    // Its keys move and change elements, so a screen reader has to hand them through.
    const drawing = canvas.getContainer().querySelector("svg[tabindex]");
    drawing?.setAttribute("role", "application");
    drawing?.setAttribute("aria-label", t("head.canvas"));
    const observer = new ResizeObserver(() => fitRoom(sheet.modeler));
    observer.observe(canvas.getContainer());
    return () => observer.disconnect();
  }, [sheet, active, t]);
}

/** Tells when a file speaks for another engine than the one before. */
function useSpokenDialect(sheet: Sheet | null): void {
  const { t } = useTranslation("designer");
  const before = useRef<Dialect | null>(null);
  const dialect = sheet?.opened.dialect ?? null;
  useEffect(() => {
    const was = before.current;
    before.current = dialect;
    if (dialect && was && was !== dialect) toast.info(t("open.dialect", { name: dialectNames[dialect] }));
  }, [dialect, t]);
}

/** A file let go over the canvas is opened. */
function useDrop(open: (file: File) => void) {
  return {
    onDragOver: (event: DragEvent) => {
      if ([...event.dataTransfer.types].includes("Files")) event.preventDefault();
    },
    onDrop: (event: DragEvent) => {
      const file = event.dataTransfer.files[0];
      if (!file) return;
      event.preventDefault();
      open(file);
    },
  };
}
