import { useCallback, useState } from "react";
import { get } from "@/kernel/api/client";
import { errorText } from "@/kernel/api/errors";
import { isConflict } from "@/kernel/crud";
import { useTranslation } from "@/kernel/i18n";
import { confirmBox, toast } from "@/kernel/ui";
import { replaceDiagram } from "../model/calls";
import { write } from "./canvas/drawing";
import { confirmLoss } from "./header/loss";
import type { Sheet } from "./useDrawing";

/** A model with its diagram, as the server keeps it. */
export interface StoredModel {
  id: string;
  key: string;
  name: string;
  version?: number;
  bpmnXml: string;
  processDefinition: { id: string } | null;
}

/** Reads the model whose diagram is drawn. */
export function fetchModel(id: string): Promise<StoredModel> {
  return get<StoredModel>("/bpm/model/get", { id }, { silent: true });
}

interface Saving {
  busy: boolean;
  problem: string;
  dismiss: () => void;
  /** "stale" when somebody else saved first and that is to be shown instead. */
  save: (sheet: Sheet) => Promise<"saved" | "stale" | "kept">;
}

/** Sends the drawing with the version of the model that was read. */
export function useSaving(model: StoredModel | undefined): Saving {
  const { t } = useTranslation(["designer", "kernel"]);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState("");
  // What the server has moves on with each save, the model this page was opened with does not.
  const [version, setVersion] = useState(model?.version);

  const send = useCallback(
    async (id: string, text: string) => {
      await replaceDiagram(id as unknown as Parameters<typeof replaceDiagram>[0], version, text);
      const fresh = await fetchModel(id).catch(() => null);
      // A save of somebody else in between is met at the next one: the version stays the old one.
      if (fresh && fresh.bpmnXml === text) setVersion(fresh.version);
    },
    [version],
  );

  const save = useCallback<Saving["save"]>(
    async (sheet) => {
      if (!model) return "kept";
      setProblem("");
      setBusy(true);
      try {
        const { text, lost } = await write(sheet);
        if (lost.length > 0 && !(await confirmLoss(lost))) return "kept";
        await send(model.id, text);
        toast.success(t("save.done", { name: model.name }));
        return "saved";
      } catch (cause) {
        if (isConflict(cause)) {
          const again = await confirmBox({
            title: t("kernel:form.conflictTitle"),
            content: t("kernel:form.conflict", { title: t("save.model") }),
            okText: t("kernel:form.conflictReload"),
            cancelText: t("kernel:form.conflictStay"),
          });
          return again ? "stale" : "kept";
        }
        console.warn(cause);
        setProblem(t("save.failed", { reason: errorText(cause) }));
        return "kept";
      } finally {
        setBusy(false);
      }
    },
    [model, send, t],
  );
  return { busy, problem, dismiss: () => setProblem(""), save };
}
