import { Alert, Button, Checkbox, Form, type FormInstance } from "antd";
import { lazy, Suspense, useEffect, useRef } from "react";
import { useTranslation } from "@/kernel/i18n";
import { canRememberPassword } from "@/kernel/session";
import { recall } from "./remember";
import { SignInFields } from "./SignInFields";
import { type SignInValues, useSignIn } from "./useSignIn";

const loadCaptcha = () => import("../captcha/CaptchaDialog");
const CaptchaDialog = lazy(loadCaptcha);

/** School, user name and password; the captcha is asked for after the button. */
export function SignInForm() {
  const { t } = useTranslation("auth");
  const [form] = Form.useForm<SignInValues>();
  const { tenant, busy, error, asking, submit, onVerified, onCancel } = useSignIn();
  useEffect(() => {
    void recall().then((kept) => {
      if (kept.rememberMe) fillIn(form, kept);
    });
  }, [form]);
  const { initialName, ready } = tenant;
  useEffect(() => {
    if (ready && initialName) fillIn(form, { tenantName: initialName });
  }, [form, ready, initialName]);
  return (
    <>
      <ErrorLine error={error} />
      <Form
        form={form}
        layout="vertical"
        requiredMark={false}
        validateTrigger="onBlur"
        scrollToFirstError={{ focus: true }}
        initialValues={{ tenantName: initialName, username: "", password: "", rememberMe: false }}
        onFinish={submit}
        onFocus={() => void loadCaptcha().catch(() => undefined)}
      >
        <SignInFields resolveTenant={tenant.resolve} />
        <Form.Item
          name="rememberMe"
          valuePropName="checked"
          extra={canRememberPassword() ? undefined : t("remember.nameOnly")}
        >
          <Checkbox>{t("remember.label")}</Checkbox>
        </Form.Item>
        <Button type="primary" htmlType="submit" size="large" block loading={busy && !asking}>
          {t("signIn.submit")}
        </Button>
      </Form>
      {asking && (
        <Suspense fallback={null}>
          <CaptchaDialog onVerified={onVerified} onCancel={onCancel} />
        </Suspense>
      )}
    </>
  );
}

/** Sets what is known by now, but no field that somebody has filled or is about to type in. */
function fillIn(form: FormInstance<SignInValues>, known: Partial<SignInValues>): void {
  const taken = (name: string) =>
    form.isFieldTouched(name as keyof SignInValues) ||
    form.getFieldInstance(name as keyof SignInValues)?.input === document.activeElement;
  form.setFieldsValue(Object.fromEntries(Object.entries(known).filter(([name]) => !taken(name))));
}

/** The failure of the last attempt, announced and brought into view. */
export function ErrorLine({ error }: { error: string }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (error) place.current?.scrollIntoView?.({ block: "nearest" });
  }, [error]);
  return (
    <div ref={place} role="alert" className="auth-error">
      {error && <Alert type="error" showIcon title={error} role="presentation" />}
    </div>
  );
}
