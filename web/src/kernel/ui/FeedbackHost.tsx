import { Modal, message, notification } from "antd";
import { useEffect } from "react";
import { t } from "@/kernel/i18n";
import { type FeedbackItem, useFeedbackQueue } from "./feedback";

/** Draws the queued messages inside the theme and language of the page. */
export default function FeedbackHost() {
  const [toasts, toastHolder] = message.useMessage();
  const [notes, noteHolder] = notification.useNotification();
  const [dialogs, dialogHolder] = Modal.useModal();
  const items = useFeedbackQueue((queue) => queue.items);

  useEffect(() => {
    if (items.length === 0) return;
    const draw = (item: FeedbackItem) => {
      if (item.kind === "toast" && item.seconds === 0) {
        // A message of antd has no way to be closed; what stays must have one.
        notes.open({ type: item.level, title: item.text, duration: false });
      } else if (item.kind === "toast") {
        void toasts.open({ type: item.level, content: item.text, duration: item.seconds ?? 3 });
      } else if (item.kind === "notify") {
        notes.error({ title: item.title, description: item.description });
      } else if (item.kind === "alert") {
        const kind = item.level === "info" ? dialogs.info : dialogs[item.level];
        kind({
          title: t("kernel:feedback.systemPrompt"),
          content: item.text,
          okText: t("kernel:feedback.ok"),
          mask: { closable: false },
          afterClose: item.done,
        });
      } else {
        const { content, title, okText, cancelText, danger } = item.options;
        dialogs.confirm({
          title: title ?? t("kernel:feedback.systemPrompt"),
          content,
          okText: okText ?? t("kernel:feedback.ok"),
          cancelText: cancelText ?? t("kernel:feedback.cancel"),
          okButtonProps: { danger },
          mask: { closable: false },
          onOk: () => item.done(true),
          onCancel: () => item.done(false),
        });
      }
    };
    for (const item of useFeedbackQueue.getState().take()) draw(item);
  }, [items, toasts, notes, dialogs]);

  return (
    <>
      {toastHolder}
      {noteHolder}
      {dialogHolder}
    </>
  );
}
