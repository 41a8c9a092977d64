import { useCallback, useState } from "react";
import { errorText } from "@/kernel/api/errors";
import { useTranslation } from "@/kernel/i18n";
import { confirmBox, toast } from "@/kernel/ui";
import { readText } from "../model/diagram";
import type { Dialect } from "./dialect";
import { standardDialect } from "./dialectSetting";
import { XmlError } from "./fidelity/xml";
import type { Origin, useDrawing } from "./useDrawing";

type Show = ReturnType<typeof useDrawing>["show"];

interface Opening {
  /** Why the last text could not be shown; empty when it could. */
  problem: string;
  dismiss: () => void;
  /** Draws a text; offers to lay out a file without a drawing; says what went wrong. */
  openText: (text: string, origin: Origin, dialect?: Dialect) => Promise<boolean>;
  openFile: (file: File, dirty: boolean) => Promise<void>;
}

/** Ways onto the canvas, with their questions and refusals. */
export function useOpening(show: Show): Opening {
  const { t } = useTranslation("designer");
  const [problem, setProblem] = useState("");

  const openText = useCallback<Opening["openText"]>(
    async (text, origin, dialect = standardDialect()) => {
      setProblem("");
      try {
        if ((await show(text, { dialect, origin })) === "drawn") return true;
        const ask = { title: t("open.noDrawing"), content: t("open.layoutAsk"), okText: t("open.layout") };
        if (!(await confirmBox(ask))) {
          setProblem(t("open.noDrawing"));
          return false;
        }
        await show(text, { dialect, origin: "elsewhere", layout: true });
        return true;
      } catch (cause) {
        console.warn(cause);
        const reason = cause instanceof XmlError ? t("open.xmlAt", { line: cause.line }) : errorText(cause);
        setProblem(t("open.failed", { reason }));
        return false;
      }
    },
    [show, t],
  );

  const openFile = useCallback<Opening["openFile"]>(
    async (file, dirty) => {
      let text: string;
      try {
        text = await readText(file);
      } catch (cause) {
        setProblem(t("open.failed", { reason: errorText(cause) }));
        return;
      }
      if (dirty && !(await confirmBox({ content: t("open.replaceAsk"), okText: t("open.replace") }))) return;
      if (await openText(text, "elsewhere")) toast.success(t("open.done", { name: file.name }));
    },
    [openText, t],
  );
  return { problem, dismiss: () => setProblem(""), openText, openFile };
}
