import { Form } from "antd";
import dayjs, { type Dayjs } from "dayjs";
import { useEffect, useRef, useState } from "react";
import { useNavigate } from "react-router";
import { errorText } from "@/kernel/api/errors";
import { useOnce } from "@/kernel/api/useOnce";
import { dropDraft, readDraft, useDraftOnSessionLost, writeDraft } from "@/kernel/crud/useDraft";
import { showRefusedFields } from "@/kernel/form";
import { t } from "@/kernel/i18n";
import { toast, useUnsaved } from "@/kernel/ui";
import { instancePath } from "../process/paths";
import { type Picks, usePath } from "../process/start/calls";
import { unpicked } from "../process/start/PathPreview";
import { createLeave, daysBetween, getLeave, type Leave, type LeaveBody } from "./leave";

export interface LeaveValues {
  type?: number;
  startTime?: Dayjs | null;
  endTime?: Dayjs | null;
  reason?: string;
}

type Kept = Omit<LeaveValues, "startTime" | "endTime"> & { startTime?: number; endTime?: number };

const DRAFT = "bpm-leave";

const time = (value: number | undefined) => (value ? dayjs(value) : null);

function opened(kept: Kept | undefined): LeaveValues {
  if (!kept) return {};
  const { type, reason } = kept;
  return { type, reason, startTime: time(kept.startTime), endTime: time(kept.endTime) };
}

function keptOf(values: LeaveValues): Kept {
  return { ...values, startTime: values.startTime?.valueOf(), endTime: values.endTime?.valueOf() };
}

/** The application as it is written: its draft, the path it leads to, sending it once. */
export function useLeaveForm(definition: string, begin: Leave | undefined) {
  const [form] = Form.useForm<LeaveValues>();
  // Whoever starts one again wants that one, not what was left lying.
  const [draft] = useState(() => (begin ? undefined : readDraft<Kept>(DRAFT)?.values));
  const [initial] = useState(() => opened(begin ?? draft));
  const [dirty, setDirty] = useState(draft !== undefined);
  const [picks, setPicks] = useState<Picks>({});
  const [state, setState] = useState({ busy: false, tried: false, problem: "", sent: "" });
  const [values, setValues] = useState(initial);
  const { startTime, endTime } = values;
  const inOrder = !!startTime && !!endTime && !endTime.isBefore(startTime);
  const days = inOrder ? daysBetween(startTime.valueOf(), endTime.valueOf()) : null;
  const path = usePath(definition, { day: days ?? 0, type: values.type ?? 0 });
  // At once, which a state is not: two presses are one.
  const sending = useRef(false);
  const once = useOnce();
  const navigate = useNavigate();
  const part = (more: Partial<typeof state>) => setState((present) => ({ ...present, ...more }));

  useUnsaved(dirty && state.sent === "");
  useDraftOnSessionLost<Kept>(DRAFT, () => (dirty ? keptOf(form.getFieldsValue()) : null));
  // After the state that asks before leaving is gone.
  useEffect(() => {
    if (state.sent) void navigate(state.sent, { replace: true });
  }, [state.sent, navigate]);

  const changed = () => {
    const present = form.getFieldsValue();
    setDirty(true);
    setValues(present);
    writeDraft<Kept>(DRAFT, keptOf(present));
  };
  const send = async (filled: LeaveValues) => {
    if (sending.current || state.sent) return;
    sending.current = true;
    try {
      await deliver(filled);
    } finally {
      sending.current = false;
    }
  };
  const deliver = async (filled: LeaveValues) => {
    part({ tried: true, problem: "" });
    const [missing] = unpicked(path.data?.activityNodes ?? [], picks);
    if (missing) {
      part({ problem: t("workflow:start.pick", { name: missing.name }) });
      return;
    }
    const body: LeaveBody = {
      type: filled.type ?? 0,
      reason: (filled.reason ?? "").trim(),
      startTime: filled.startTime?.valueOf() ?? 0,
      endTime: filled.endTime?.valueOf() ?? 0,
      startUserSelectAssignees: picks,
    };
    part({ busy: true });
    try {
      const id = await createLeave(body, once.keyOf(body));
      dropDraft(DRAFT);
      toast.success(t("workflow:leave.sent"));
      const made = await getLeave(String(id)).catch(() => null);
      part({ busy: false, sent: made ? instancePath(made.processInstanceId) : "/bpm/oa/leave" });
    } catch (error) {
      const shown = showRefusedFields(form, error).length > 0;
      part({ busy: false, problem: shown ? "" : errorText(error) });
    }
  };
  return { ...state, form, initial, days, path, picks, setPicks, changed, send };
}
