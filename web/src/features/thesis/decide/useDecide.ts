import { useQueryClient } from "@tanstack/react-query";
import type { TextAreaRef } from "antd/es/input/TextArea";
import { type RefObject, useRef, useState } from "react";
import { ApiError, errorText } from "@/kernel/api/errors";
import { useOnce } from "@/kernel/api/useOnce";
import { dropDraft, readDraft, useDraftOnSessionLost } from "@/kernel/crud/useDraft";
import { isConflict } from "@/kernel/crud/useSave";
import { t } from "@/kernel/i18n";
import { toast } from "@/kernel/ui";
import { keys, thesisKey } from "../shared/calls";
import type { SubjectDetail } from "../shared/subjectWire";
import { decide, type Verdict } from "./calls";
import { type Handled, handledOf, opinionProblem } from "./verdict";

export interface Decide {
  opinion: string;
  write: (text: string) => void;
  newFile: boolean;
  setNewFile: (on: boolean) => void;
  problem: string;
  asking: Verdict | null;
  /** Checks the opinion, then asks whether it is meant. */
  ask: (verdict: Verdict) => void;
  cancel: () => void;
  confirm: () => Promise<void>;
  busy: boolean;
  /** Set when somebody else was faster. */
  handled: Handled | null;
  field: RefObject<TextAreaRef | null>;
}

/** One approver's verdict on one declaration, from the first letter to the answer of the server. */
export function useDecide(subject: SubjectDetail | undefined, onDecided: (verdict: Verdict) => void): Decide {
  const client = useQueryClient();
  const once = useOnce();
  const field = useRef<TextAreaRef>(null);
  const draft = `thesis-opinion:${subject?.id ?? 0}`;
  const [opinion, setOpinion] = useState(() => readDraft<string>(draft)?.values ?? "");
  const [newFile, setNewFile] = useState(false);
  const [problem, setProblem] = useState("");
  const [asking, setAsking] = useState<Verdict | null>(null);
  const [busy, setBusy] = useState(false);
  const [handled, setHandled] = useState<Handled | null>(null);

  useDraftOnSessionLost(draft, () => opinion || null);

  const complain = (text: string) => {
    setProblem(text);
    field.current?.focus();
  };
  const ask = (verdict: Verdict) => {
    if (!subject?.actions.includes(verdict) || busy) return;
    const wrong = opinionProblem(verdict, opinion);
    if (wrong) complain(wrong);
    else {
      setProblem("");
      setAsking(verdict);
    }
  };
  const refused = async (error: unknown) => {
    const other = handledOf(error);
    const own = error instanceof ApiError ? error.fields?.opinion : undefined;
    if (other) {
      setHandled(other);
      await client.invalidateQueries({ queryKey: keys.todo });
    } else if (own) complain(own);
    else if (isConflict(error)) {
      toast.warning(t("thesis:decide.changed"), 5);
      if (subject) await client.invalidateQueries({ queryKey: keys.subject(subject.id) });
    } else complain(errorText(error));
  };
  const confirm = async () => {
    if (!subject || !asking) return;
    setBusy(true);
    const body = { id: subject.id, version: subject.version, opinion: opinion.trim(), needNewFile: newFile };
    try {
      await decide(asking, body, once.keyOf([asking, body]));
      once.done();
      dropDraft(draft);
      setAsking(null);
      toast.success(t(`thesis:decide.${asking}Done`, { name: subject.studentName }));
      onDecided(asking);
      await client.invalidateQueries({ queryKey: [thesisKey] });
    } catch (error) {
      setAsking(null);
      await refused(error);
    } finally {
      setBusy(false);
    }
  };
  return {
    opinion,
    write: (text) => {
      setOpinion(text);
      setProblem("");
    },
    newFile,
    setNewFile,
    problem,
    asking,
    ask,
    cancel: () => setAsking(null),
    confirm,
    busy,
    handled,
    field,
  };
}
