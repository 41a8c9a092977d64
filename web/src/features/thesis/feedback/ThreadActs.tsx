import { Alert, Button, Flex, Form, Input, Rate } from "antd";
import { useState } from "react";
import { errorText } from "@/kernel/api/errors";
import { useOnce } from "@/kernel/api/useOnce";
import { dropDraft, readDraft, useDraftOnSessionLost } from "@/kernel/crud/useDraft";
import { requiredMark } from "@/kernel/form";
import { useTranslation } from "@/kernel/i18n";
import { confirmBox, toast, Upload } from "@/kernel/ui";
import { type FeedbackDetail, feedbackCalls, useRefreshFeedback } from "./calls";

interface Props {
  feedback: FeedbackDetail;
}

/** Reply, take on, close, reopen, rate: whatever the server allows the reader now. */
export function ThreadActs({ feedback }: Props) {
  const { t } = useTranslation("thesis");
  const [problem, setProblem] = useState("");
  const refresh = useRefreshFeedback();
  const may = (action: string) => feedback.actions.includes(action);
  const [busy, setBusy] = useState(false);
  const run = async (work: () => Promise<unknown>, done: string) => {
    setProblem("");
    setBusy(true);
    let good = false;
    try {
      await work();
      good = true;
      toast.success(t(done));
    } catch (error) {
      setProblem(errorText(error));
    }
    await refresh();
    setBusy(false);
    return good;
  };
  const close = async () => {
    if (!(await confirmBox(t("feedback.closeAsk")))) return;
    await run(() => feedbackCalls.close(feedback.id), "feedback.closed");
  };
  return (
    <div className="th-stack">
      {problem ? <Alert type="error" role="alert" title={problem} /> : null}
      {may("reply") ? <Reply feedback={feedback} busy={busy} run={run} /> : null}
      {may("rate") ? <RateForm feedback={feedback} busy={busy} run={run} /> : null}
      {may("reopen") ? <Reopen feedback={feedback} busy={busy} run={run} /> : null}
      {may("handle") || may("close") ? (
        <Flex gap={8} wrap>
          {may("handle") ? (
            <Button
              loading={busy}
              onClick={() => void run(() => feedbackCalls.handle(feedback.id), "feedback.taken")}
            >
              {t("feedback.handle")}
            </Button>
          ) : null}
          {may("close") ? (
            <Button disabled={busy} onClick={() => void close()}>
              {t("feedback.close")}
            </Button>
          ) : null}
        </Flex>
      ) : null}
    </div>
  );
}

interface PartProps extends Props {
  /** An act is under way: a second press must not follow the first. */
  busy: boolean;
  /** Resolves to whether the act was done. */
  run: (work: () => Promise<unknown>, done: string) => Promise<boolean>;
}

function Reply({ feedback, busy, run }: PartProps) {
  const { t } = useTranslation("thesis");
  const once = useOnce();
  const [form] = Form.useForm<{ content: string; images?: number[] }>();
  const draft = `thesis-reply:${feedback.id}`;
  useDraftOnSessionLost(draft, () => (form.getFieldValue("content") as string) || null);
  const send = async ({ content, images = [] }: { content: string; images?: number[] }) => {
    const key = once.keyOf([feedback.id, content, images]);
    const sent = await run(async () => {
      await feedbackCalls.reply(feedback.id, content.trim(), images, key);
      once.done();
    }, "feedback.replied");
    if (!sent) return;
    dropDraft(draft);
    form.setFieldsValue({ content: "", images: [] });
  };
  return (
    <Form
      form={form}
      name="feedback-reply"
      initialValues={{ content: readDraft<string>(draft)?.values ?? "" }}
      layout="vertical"
      requiredMark={requiredMark}
      validateTrigger="onBlur"
      onFinish={(values) => void send(values)}
    >
      <Form.Item
        name="content"
        label={t("feedback.reply")}
        rules={[{ required: true, whitespace: true, message: t("feedback.replyMissing") }]}
      >
        <Input.TextArea autoSize={{ minRows: 3, maxRows: 10 }} maxLength={2000} showCount />
      </Form.Item>
      <Form.Item name="images" label={t("feedback.images")}>
        <Upload slot="image" max={5} />
      </Form.Item>
      <Button type="primary" htmlType="submit" loading={busy}>
        {t("feedback.send")}
      </Button>
    </Form>
  );
}

function RateForm({ feedback, busy, run }: PartProps) {
  const { t } = useTranslation("thesis");
  const [stars, setStars] = useState(0);
  const [comment, setComment] = useState("");
  return (
    <section className="th-quote" aria-label={t("feedback.rate")}>
      <div>{t("feedback.rateAsk")}</div>
      <Rate value={stars} onChange={setStars} aria-label={t("feedback.rate")} />
      {stars > 0 ? (
        <Flex gap={8} style={{ marginTop: 8 }} wrap>
          <Input
            aria-label={t("feedback.rateComment")}
            placeholder={t("feedback.rateComment")}
            value={comment}
            maxLength={200}
            style={{ flex: "1 1 200px" }}
            onChange={(event) => setComment(event.target.value)}
          />
          <Button
            type="primary"
            loading={busy}
            onClick={() =>
              void run(() => feedbackCalls.rate(feedback.id, stars, comment.trim()), "feedback.thanks")
            }
          >
            {t("feedback.rateSend")}
          </Button>
        </Flex>
      ) : null}
    </section>
  );
}

function Reopen({ feedback, busy, run }: PartProps) {
  const { t } = useTranslation("thesis");
  const [open, setOpen] = useState(false);
  if (!open) return <Button onClick={() => setOpen(true)}>{t("feedback.reopen")}</Button>;
  return (
    <Form
      name="feedback-reopen"
      layout="vertical"
      requiredMark={requiredMark}
      validateTrigger="onBlur"
      onFinish={({ reason }: { reason: string }) =>
        void run(() => feedbackCalls.reopen(feedback.id, reason.trim()), "feedback.reopened")
      }
    >
      <Form.Item
        name="reason"
        label={t("feedback.reopenReason")}
        rules={[{ required: true, whitespace: true, min: 5, message: t("feedback.reopenMissing") }]}
      >
        <Input.TextArea autoSize={{ minRows: 2, maxRows: 6 }} maxLength={500} showCount />
      </Form.Item>
      <Button type="primary" htmlType="submit" loading={busy}>
        {t("feedback.reopen")}
      </Button>
    </Form>
  );
}
