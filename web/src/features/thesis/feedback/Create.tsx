import { Alert, Button, Drawer, Flex, Form, Input } from "antd";
import { useEffect, useState } from "react";
import { errorText } from "@/kernel/api/errors";
import { useOnce } from "@/kernel/api/useOnce";
import { dropDraft, readDraft, useDraftOnSessionLost } from "@/kernel/crud/useDraft";
import { DictSelect } from "@/kernel/dict";
import { requiredMark, showRefusedFields } from "@/kernel/form";
import { useTranslation } from "@/kernel/i18n";
import { confirmLeave, toast, Upload, useMobile, useUnsaved } from "@/kernel/ui";
import { lengthOf } from "../shared/length";
import { feedbackCalls, type NewFeedback, useRefreshFeedback } from "./calls";

interface Props {
  open: boolean;
  /** What a link from elsewhere filled in. */
  initial?: Partial<NewFeedback>;
  onClose: (created: number | null) => void;
}

const DRAFT = "thesis-feedback";

const counted = (max: number) => ({ show: true, max, strategy: lengthOf });

/** A new question with up to five pictures. */
export function CreateFeedback({ open, initial, onClose }: Props) {
  const { t } = useTranslation("thesis");
  const mobile = useMobile();
  const [form] = Form.useForm<NewFeedback>();
  const [dirty, setDirty] = useState(false);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState("");
  const once = useOnce();
  const refresh = useRefreshFeedback();
  useUnsaved(open && dirty);
  useDraftOnSessionLost<NewFeedback>(DRAFT, () => (open && dirty ? form.getFieldsValue() : null));
  useEffect(() => {
    if (!open) return;
    setDirty(false);
    setProblem("");
  }, [open]);

  const close = async () => {
    if (dirty && !(await confirmLeave())) return;
    dropDraft(DRAFT);
    onClose(null);
  };
  const send = async (values: NewFeedback) => {
    setBusy(true);
    setProblem("");
    const body = { ...values, title: values.title.trim(), content: values.content.trim() };
    try {
      const id = await feedbackCalls.create(body, once.keyOf(body));
      once.done();
      dropDraft(DRAFT);
      toast.success(t("feedback.created"));
      await refresh();
      onClose(id);
    } catch (error) {
      if (showRefusedFields(form, error).length === 0) setProblem(errorText(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Drawer
      open={open}
      title={t("feedback.new")}
      size={mobile ? "100%" : 520}
      onClose={() => void close()}
      destroyOnHidden
      footer={
        <Flex gap={8} justify="end">
          <Button onClick={() => void close()}>{t("feedback.cancel")}</Button>
          <Button type="primary" loading={busy} onClick={() => form.submit()}>
            {t("feedback.submit")}
          </Button>
        </Flex>
      }
    >
      {problem ? <Alert type="error" role="alert" title={problem} style={{ marginBottom: 16 }} /> : null}
      <Form<NewFeedback>
        form={form}
        name="feedback"
        layout="vertical"
        requiredMark={requiredMark}
        validateTrigger="onBlur"
        preserve={false}
        initialValues={readDraft<NewFeedback>(DRAFT)?.values ?? initial}
        scrollToFirstError={{ focus: true }}
        onValuesChange={() => setDirty(true)}
        onFinish={(values) => void send(values)}
      >
        <Form.Item
          name="kind"
          label={t("feedback.kind")}
          rules={[{ required: true, message: t("feedback.kindMissing") }]}
        >
          <DictSelect type="thesis_feedback_kind" />
        </Form.Item>
        <Form.Item
          name="title"
          label={t("feedback.title")}
          rules={[{ required: true, whitespace: true, min: 2, max: 60, message: t("feedback.titleLength") }]}
        >
          <Input count={counted(60)} />
        </Form.Item>
        <Form.Item
          name="content"
          label={t("feedback.content")}
          extra={t("feedback.contentHelp")}
          rules={[
            { required: true, whitespace: true, min: 10, max: 2000, message: t("feedback.contentLength") },
          ]}
        >
          <Input.TextArea autoSize={{ minRows: 5, maxRows: 14 }} count={counted(2000)} />
        </Form.Item>
        <Form.Item name="images" label={t("feedback.images")}>
          <Upload slot="image" max={5} />
        </Form.Item>
      </Form>
    </Drawer>
  );
}
