import { Alert, Form, Input, Modal } from "antd";
import { useState } from "react";
import { post } from "@/kernel/api/client";
import { ApiError, errorText } from "@/kernel/api/errors";
import { useOnce } from "@/kernel/api/useOnce";
import { RefSelect } from "@/kernel/crud/RefSelect";
import { requiredMark } from "@/kernel/form";
import { useTranslation } from "@/kernel/i18n";
import { toast } from "@/kernel/ui";
import { fill, type NotifyTemplate } from "./types";
import "./notify.css";

interface Values {
  userId: number;
  templateParams?: Record<string, string>;
}

interface Props {
  template: NotifyTemplate | null;
  onClose: () => void;
}

/** Sends a message of the template to one person, with a preview of what he will read. */
export function SendDialog({ template, onClose }: Props) {
  const { t } = useTranslation("system");
  const [form] = Form.useForm<Values>();
  const once = useOnce();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState("");
  const close = () => {
    setProblem("");
    onClose();
  };
  const send = async ({ userId, templateParams = {} }: Values) => {
    setBusy(true);
    setProblem("");
    try {
      const body = { userId, templateCode: template?.code, templateParams };
      const id = await post<number | null>("/system/notify-template/send-notify", body, {
        silent: true,
        idempotencyKey: once.keyOf(body),
      });
      once.done();
      if (id === null) throw new ApiError(0, t("template.notSent"));
      toast.success(t("template.sent"));
      close();
    } catch (error) {
      setProblem(errorText(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Modal
      open={template !== null}
      title={t("template.sendTitle", { name: template?.name ?? "" })}
      okText={t("template.sendOk")}
      cancelText={t("kernel:action.cancel")}
      confirmLoading={busy}
      mask={{ closable: false }}
      onOk={() => form.submit()}
      onCancel={close}
      destroyOnHidden
    >
      {problem ? <Alert type="error" role="alert" title={problem} style={{ marginBottom: 12 }} /> : null}
      <Form<Values>
        name="send-notify"
        form={form}
        layout="vertical"
        requiredMark={requiredMark}
        validateTrigger="onBlur"
        preserve={false}
        onFinish={(values) => void send(values)}
      >
        <Form.Item
          name="userId"
          label={t("template.receiver")}
          rules={[{ required: true, message: t("template.receiverMissing") }]}
        >
          <RefSelect path="/system/user/simple-list" />
        </Form.Item>
        {(template?.params ?? []).map((name) => (
          <Form.Item
            key={name}
            name={["templateParams", name]}
            label={name}
            rules={[{ required: true, whitespace: true, message: t("template.paramMissing", { name }) }]}
          >
            <Input maxLength={1000} />
          </Form.Item>
        ))}
        <Preview template={template} />
      </Form>
    </Modal>
  );
}

function Preview({ template }: { template: NotifyTemplate | null }) {
  const { t } = useTranslation("system");
  const params = Form.useWatch<Record<string, string> | undefined>("templateParams") ?? {};
  if (!template) return null;
  return (
    <section className="notify-preview" aria-label={t("template.preview")}>
      <strong>{template.nickname}</strong>
      <p>{fill(template.content, params)}</p>
    </section>
  );
}
