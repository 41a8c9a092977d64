import { create } from "zustand";

/**
 * Messages from anywhere, also outside components. The antd parts that draw them are loaded
 * when the first message appears, so that the sign-in page stays light.
 */
export type ToastKind = "info" | "success" | "warning" | "error";

export type FeedbackItem =
  | { kind: "toast"; level: ToastKind; text: string; seconds?: number }
  | { kind: "notify"; title: string; description?: string }
  | { kind: "alert"; text: string; level: ToastKind; done: () => void }
  | { kind: "confirm"; options: ConfirmOptions; done: (ok: boolean) => void };

export interface ConfirmOptions {
  content: string;
  title?: string;
  okText?: string;
  cancelText?: string;
  danger?: boolean;
}

interface Queue {
  items: FeedbackItem[];
  push: (item: FeedbackItem) => void;
  take: () => FeedbackItem[];
}

export const useFeedbackQueue = create<Queue>()((set, get) => ({
  items: [],
  push: (item) => set({ items: [...get().items, item] }),
  take: () => {
    const items = get().items;
    if (items.length > 0) set({ items: [] });
    return items;
  },
}));

function show(item: FeedbackItem): void {
  useFeedbackQueue.getState().push(item);
}

/** Short messages; `seconds` 0 keeps the message until it is closed. */
export const toast = {
  info: (text: string, seconds?: number) => show({ kind: "toast", level: "info", text, seconds }),
  success: (text: string, seconds?: number) => show({ kind: "toast", level: "success", text, seconds }),
  warning: (text: string, seconds?: number) => show({ kind: "toast", level: "warning", text, seconds }),
  error: (text: string, seconds?: number) => show({ kind: "toast", level: "error", text, seconds }),
};

/** An error notification titled with the message. */
export function notifyError(title: string, description?: string): void {
  show({ kind: "notify", title, description });
}

/** A dialog titled 系统提示 with one button; resolves when it is closed. */
export function alertBox(text: string, level: ToastKind = "info"): Promise<void> {
  return new Promise((done) => show({ kind: "alert", text, level, done }));
}

/** A question with confirm and cancel; a cancelled one is logged and resolves to false. */
export async function confirmBox(question: string | ConfirmOptions): Promise<boolean> {
  const options = typeof question === "string" ? { content: question } : question;
  const ok = await new Promise<boolean>((done) => show({ kind: "confirm", options, done }));
  if (!ok) console.info("operation cancelled");
  return ok;
}
