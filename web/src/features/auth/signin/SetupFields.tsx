import { Form, Input } from "antd";
import { useTranslation } from "@/kernel/i18n";
import { PasswordInput } from "./PasswordInput";

/** Shortest password of an administrator. */
export const setupPasswordLength = 8;

export function SetupFields() {
  const { t } = useTranslation("auth");
  return (
    <>
      <Form.Item
        name="username"
        label={t("username.label")}
        extra={t("setup.usernameHint")}
        rules={[
          { required: true, whitespace: true, message: t("username.required") },
          { pattern: /^\s*[a-zA-Z0-9]{4,30}\s*$/, message: t("setup.usernameRule") },
        ]}
      >
        <Input size="large" autoComplete="username" autoCapitalize="none" spellCheck={false} />
      </Form.Item>
      <Form.Item
        name="nickname"
        label={t("setup.nickname")}
        rules={[{ required: true, whitespace: true, message: t("setup.nicknameRequired") }]}
      >
        <Input size="large" autoComplete="name" maxLength={30} />
      </Form.Item>
      <Form.Item
        name="password"
        label={t("password.label")}
        extra={t("setup.passwordHint", { n: setupPasswordLength })}
        rules={[
          { required: true, message: t("password.required") },
          { min: setupPasswordLength, message: t("setup.passwordRule", { n: setupPasswordLength }) },
        ]}
      >
        <PasswordInput size="large" autoComplete="new-password" maxLength={128} />
      </Form.Item>
      <Form.Item
        name="again"
        label={t("setup.again")}
        dependencies={["password"]}
        rules={[
          { required: true, message: t("setup.againRequired") },
          ({ getFieldValue }) => ({
            validator: async (_rule, value: string | undefined) => {
              if (value && value !== getFieldValue("password")) throw new Error(t("setup.differ"));
            },
          }),
        ]}
      >
        <PasswordInput size="large" autoComplete="new-password" maxLength={128} />
      </Form.Item>
    </>
  );
}
