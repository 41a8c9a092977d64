import { Form, Input } from "antd";
import { useTranslation } from "@/kernel/i18n";
import { PasswordInput } from "./PasswordInput";

interface Props {
  resolveTenant: (name: string) => Promise<boolean>;
}

/** The three fields of a sign-in; the school is looked up when its field is left. */
export function SignInFields({ resolveTenant }: Props) {
  const { t } = useTranslation("auth");
  const checkTenant = async (_rule: unknown, name: string | undefined) => {
    if (!name?.trim()) throw new Error(t("tenant.required"));
    // A server that cannot be reached is reported on submit, not as a wrong name.
    const known = await resolveTenant(name).catch(() => true);
    if (!known) throw new Error(t("tenant.unknown", { name: name.trim() }));
  };
  return (
    <>
      <Form.Item name="tenantName" label={t("tenant.label")} rules={[{ validator: checkTenant }]}>
        <Input size="large" autoComplete="organization" maxLength={60} />
      </Form.Item>
      <Form.Item
        name="username"
        label={t("username.label")}
        rules={[{ required: true, whitespace: true, message: t("username.required") }]}
      >
        <Input size="large" autoComplete="username" autoCapitalize="none" spellCheck={false} maxLength={64} />
      </Form.Item>
      <Form.Item
        name="password"
        label={t("password.label")}
        rules={[{ required: true, message: t("password.required") }]}
      >
        <PasswordInput size="large" autoComplete="current-password" maxLength={128} />
      </Form.Item>
    </>
  );
}
