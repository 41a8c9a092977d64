import { Alert, Button, Form, Input } from "antd";
import { useState } from "react";
import { put } from "@/kernel/api/client";
import { errorText } from "@/kernel/api/errors";
import { requiredMark, showRefusedFields } from "@/kernel/form";
import { useTranslation } from "@/kernel/i18n";
import { toast } from "@/kernel/ui";
import { NewPassword } from "../shared/NewPassword";

interface Values {
  oldPassword: string;
  newPassword: string;
}

/** Changes the user's own password; his other sessions end. */
export function PasswordForm({ username, onDone }: { username: string; onDone: () => void }) {
  const { t } = useTranslation("identity");
  const [form] = Form.useForm<Values>();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState("");
  const save = async ({ oldPassword, newPassword }: Values) => {
    setBusy(true);
    setProblem("");
    try {
      await put("/system/user/profile/update-password", { oldPassword, newPassword }, { silent: true });
      form.resetFields();
      toast.success(t("profile.passwordSaved"));
      onDone();
    } catch (error) {
      if (showRefusedFields(form, error).length === 0) setProblem(errorText(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Form<Values>
      form={form}
      layout="vertical"
      requiredMark={requiredMark}
      className="profile-form"
      validateTrigger="onBlur"
      onFinish={(values) => void save(values)}
    >
      <p>{t("profile.passwordAbout")}</p>
      {problem ? <Alert type="error" role="alert" title={problem} style={{ marginBottom: 16 }} /> : null}
      <input type="text" autoComplete="username" value={username} readOnly hidden />
      <Form.Item
        name="oldPassword"
        label={t("password.old")}
        rules={[{ required: true, message: t("password.oldRequired") }]}
      >
        <Input.Password autoComplete="current-password" maxLength={256} />
      </Form.Item>
      <NewPassword name="newPassword" label={t("password.new")} username={username} />
      <Button type="primary" htmlType="submit" loading={busy}>
        {t("profile.changePassword")}
      </Button>
    </Form>
  );
}
