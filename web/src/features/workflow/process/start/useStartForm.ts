import { type RefObject, useEffect, useRef, useState } from "react";
import { useNavigate } from "react-router";
import { errorText } from "@/kernel/api/errors";
import { useOnce } from "@/kernel/api/useOnce";
import { type Draft, dropDraft, readDraft, useDraftOnSessionLost, writeDraft } from "@/kernel/crud/useDraft";
import { t } from "@/kernel/i18n";
import { toast, useUnsaved } from "@/kernel/ui";
import type { FormViewHandle } from "../../form/FormView";
import type { FormValues } from "../../form/values";
import { instancePath } from "../paths";
import type { Startable } from "../wire";
import { type Picks, startProcess, usePath } from "./calls";
import { unpicked } from "./PathPreview";

const PAUSE = 500;

/** What is kept of a form that was not sent. */
interface Filled {
  form: FormValues;
  picks: Picks;
}

/** The state of a form that starts a process: its draft, the path it leads to, sending it once. */
export function useStartForm(
  definition: Startable,
  begin: FormValues | undefined,
  form: RefObject<FormViewHandle | null>,
) {
  const name = `bpm-start:${definition.key}`;
  const [draft, setDraft] = useState<Draft<Filled> | null>(() => readDraft<Filled>(name));
  // Another key makes the form begin anew.
  const [start, setStart] = useState({ key: 0, values: begin });
  const [asked, setAsked] = useState<FormValues>(begin ?? {});
  const [picks, setPicks] = useState<Picks>({});
  const [dirty, setDirty] = useState(false);
  const [state, setState] = useState({ busy: false, tried: false, problem: "", started: "" });
  const path = usePath(definition.id, asked);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  // At once, which a state is not: two presses are one.
  const sending = useRef(false);
  const once = useOnce();
  const navigate = useNavigate();
  const part = (more: Partial<typeof state>) => setState((present) => ({ ...present, ...more }));

  useUnsaved(dirty && state.started === "");
  const present = (): Filled | null => (form.current ? { form: form.current.values(), picks } : null);
  useDraftOnSessionLost<Filled>(name, () => (dirty ? present() : null));
  useEffect(() => () => clearTimeout(timer.current), []);
  // After the state that asks before leaving is gone.
  useEffect(() => {
    if (state.started) void navigate(instancePath(state.started), { replace: true });
  }, [state.started, navigate]);

  const keep = (next: Picks) => {
    setDirty(true);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      const values = form.current?.values();
      if (!values) return;
      setAsked(values);
      writeDraft<Filled>(name, { form: values, picks: next });
    }, PAUSE);
  };
  const pick = (next: Picks) => {
    setPicks(next);
    keep(next);
  };
  const restore = () => {
    if (!draft) return;
    const { form: kept, picks: chosen } = draft.values;
    setStart((before) => ({ key: before.key + 1, values: { ...begin, ...kept } }));
    setAsked(kept);
    setPicks(chosen);
    setDirty(true);
    setDraft(null);
  };
  const drop = () => {
    dropDraft(name);
    setDraft(null);
  };
  const send = async () => {
    if (sending.current || state.started) return;
    sending.current = true;
    try {
      await deliver();
    } finally {
      sending.current = false;
    }
  };
  const deliver = async () => {
    part({ tried: true, problem: "" });
    const values = (await form.current?.validate()) ?? (form.current ? null : {});
    if (!values) return;
    const nodes = path.data?.activityNodes ?? [];
    const missing = unpicked(nodes, picks);
    if (missing.length > 0) {
      part({ problem: t("workflow:start.pick", { name: missing.map((node) => node.name).join("、") }) });
      return;
    }
    const known = new Set(nodes.map((node) => node.id));
    const chosen = Object.fromEntries(
      Object.entries(picks).filter(([id, list]) => known.has(id) && list.length),
    );
    const body = { processDefinitionId: definition.id, variables: values, startUserSelectAssignees: chosen };
    part({ busy: true });
    try {
      const id = await startProcess(body, once.keyOf(body));
      clearTimeout(timer.current);
      dropDraft(name);
      toast.success(t("workflow:start.started", { name: definition.name }));
      part({ busy: false, started: id });
    } catch (error) {
      part({ busy: false, problem: errorText(error) });
    }
  };
  return { ...state, draft, restore, drop, start, path, picks, pick, changed: () => keep(picks), send };
}
