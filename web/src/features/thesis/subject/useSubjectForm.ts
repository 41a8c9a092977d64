import { Form, type FormInstance } from "antd";
import { useEffect, useMemo, useRef, useState } from "react";
import { ApiError, errorText } from "@/kernel/api/errors";
import { useOnce } from "@/kernel/api/useOnce";
import { type Draft, dropDraft, readDraft, useDraftOnSessionLost } from "@/kernel/crud/useDraft";
import { t } from "@/kernel/i18n";
import { toast } from "@/kernel/ui";
import type { MySubject } from "../shared/subjectWire";
import type { OpenTopic } from "../shared/wire";
import { saveDraft, submitSubject, useRefreshThesis } from "./calls";
import { bodyOf, type SubjectValues, valuesOf } from "./form";
import type { Refusals } from "./refused";
import { type SaveState, useAutosave } from "./useAutosave";

interface Input {
  my: MySubject;
  onDirty: (dirty: boolean) => void;
  /** Begin anew with what the server has. */
  onReset: () => void;
}

interface SubjectEdit {
  form: FormInstance<SubjectValues>;
  initial: SubjectValues;
  save: SaveState;
  touch: () => void;
  saveNow: () => Promise<void>;
  /** Fetches what is stored and forgets what was typed, after somebody else changed the draft. */
  reload: () => void;
  problem: string;
  explainMissing: (info: { errorFields: { name: (string | number)[] }[] }) => void;
  /** What is about to be submitted; null while nothing is asked. */
  asking: SubjectValues | null;
  ask: () => void;
  cancel: () => void;
  busy: boolean;
  submit: () => Promise<void>;
  /** Called when the question is gone: what was refused lands on its fields then. */
  closed: () => void;
  refusals: Refusals;
  /** The offered topic that is chosen in the form. */
  topic: OpenTopic | null;
  setTopic: (topic: OpenTopic) => void;
  /** What was typed when the session ended. */
  draft: Draft<Kept> | null;
  restore: () => void;
  discard: () => void;
}

const DRAFT = "thesis-subject";

/** What a lost session keeps: the values, and the topic they name, which the form shows. */
interface Kept {
  values: SubjectValues;
  topic: OpenTopic | null;
}

/** The state of the declaration: drafts that keep themselves, submission, refusals on their fields. */
export function useSubjectForm({ my, onDirty, onReset }: Input): SubjectEdit {
  const [form] = Form.useForm<SubjectValues>();
  const initial = useMemo(() => valuesOf(my.form), [my.form]);
  const place = useRef({ id: my.form?.id ?? 0, version: my.form?.version ?? 0 });
  const [problem, setProblem] = useState("");
  const [asking, setAsking] = useState<SubjectValues | null>(null);
  const [busy, setBusy] = useState(false);
  const [topic, setTopic] = useState<OpenTopic | null>(my.topic);
  const [draft, setDraft] = useState(() => readDraft<Kept>(DRAFT));
  const refused = useRef<unknown>(null);
  const [refusals] = useState<Refusals>(() => new Map());
  const once = useOnce();
  const refresh = useRefreshThesis();
  const values = () => ({ ...initial, ...form.getFieldsValue(true) }) as SubjectValues;
  const body = () => bodyOf(values(), place.current.id, place.current.version);

  const auto = useAutosave(async () => {
    const saved = await saveDraft(body());
    place.current = { id: saved.id, version: saved.version };
    void refresh();
  }, true);
  useDraftOnSessionLost(DRAFT, () => (auto.dirty ? { values: values(), topic } : null));
  const reportDirty = useRef(onDirty);
  useEffect(() => {
    reportDirty.current = onDirty;
  });
  useEffect(() => reportDirty.current(auto.dirty), [auto.dirty]);

  const refuse = (error: unknown) => {
    const named = error instanceof ApiError ? (error.fields ?? {}) : {};
    const known = Object.keys(initial).filter((name) => named[name]) as (keyof SubjectValues)[];
    for (const name of known) {
      refusals.set(name, { value: form.getFieldValue(name), message: named[name] ?? "" });
    }
    void form.validateFields(known).catch(() => undefined);
    const [first] = known;
    if (first) form.scrollToField(first, { block: "center", focus: true });
    setProblem(first ? t("thesis:subject.refusedFields", { count: known.length }) : errorText(error));
  };
  const submit = async () => {
    setBusy(true);
    setProblem("");
    refusals.clear();
    // A save that is under way ends first: the submission carries the version it made.
    await auto.idle();
    const content = body();
    try {
      const done = await submitSubject(content, once.keyOf(content));
      once.done();
      auto.settle();
      dropDraft(DRAFT);
      toast.success(t("thesis:subject.submitted", { no: done.receiptNo }), 5);
      onReset();
    } catch (error) {
      refused.current = error;
    } finally {
      setBusy(false);
      setAsking(null);
      await refresh();
    }
  };
  const forget = () => {
    setDraft(null);
    dropDraft(DRAFT);
  };
  return {
    form,
    initial,
    save: auto.state,
    touch: auto.touch,
    saveNow: async () => {
      setProblem("");
      if (await auto.save()) toast.success(t("thesis:subject.draftSaved"));
    },
    reload: () => {
      auto.settle();
      onReset();
      void refresh();
    },
    problem,
    explainMissing: ({ errorFields }) =>
      setProblem(t("thesis:subject.missing", { count: errorFields.length })),
    asking,
    ask: () => {
      setProblem("");
      setAsking(values());
    },
    cancel: () => setAsking(null),
    busy,
    submit,
    closed: () => {
      if (refused.current) refuse(refused.current);
      refused.current = null;
    },
    refusals,
    topic,
    setTopic,
    draft,
    restore: () => {
      if (draft) {
        form.setFieldsValue(draft.values.values);
        setTopic(draft.values.topic);
      }
      auto.touch();
      forget();
    },
    discard: forget,
  };
}
