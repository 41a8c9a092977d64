import { Button, Form } from "antd";
import { useState } from "react";
import { Link, useNavigate, useSearchParams } from "react-router";
import { errorText } from "@/kernel/api/errors";
import { showRefusedFields } from "@/kernel/form/refusedFields";
import { useTranslation } from "@/kernel/i18n";
import { toast } from "@/kernel/ui";
import { type SetupBody, setUp } from "../api";
import { AuthFrame } from "../frame/AuthFrame";
import { SetupFields } from "../signin/SetupFields";
import { ErrorLine } from "../signin/SignInForm";

type Values = Omit<SetupBody, "token"> & { again: string };

/** The first administrator, made with the link that the first start printed. */
export default function SetupPage() {
  const { t } = useTranslation("auth");
  const [params] = useSearchParams();
  const token = params.get("token") ?? "";
  if (token) return <SetupForm token={token} />;
  return (
    <AuthFrame title={t("setup.title")} lead={t("setup.noToken")}>
      <p className="auth-links">
        <Link to="/login">{t("signIn.toStaff")}</Link>
      </p>
    </AuthFrame>
  );
}

function SetupForm({ token }: { token: string }) {
  const { t } = useTranslation("auth");
  const navigate = useNavigate();
  const [form] = Form.useForm<Values>();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState("");
  const submit = async ({ username, nickname, password }: Values) => {
    setBusy(true);
    setError("");
    try {
      await setUp({ token, username: username.trim(), nickname: nickname.trim(), password });
      toast.success(t("setup.done"));
      await navigate("/login", { replace: true });
    } catch (cause) {
      setError(errorText(cause));
      const [first] = showRefusedFields(form, cause);
      if (first) form.getFieldInstance(first)?.focus();
      setBusy(false);
    }
  };
  return (
    <AuthFrame title={t("setup.title")} lead={t("setup.lead")}>
      <ErrorLine error={error} />
      <Form
        form={form}
        layout="vertical"
        requiredMark={false}
        validateTrigger="onBlur"
        scrollToFirstError={{ focus: true }}
        onFinish={submit}
      >
        <SetupFields />
        <Button type="primary" htmlType="submit" size="large" block loading={busy}>
          {t("setup.submit")}
        </Button>
      </Form>
    </AuthFrame>
  );
}
