import { CheckCircleFilled, CloseCircleOutlined } from "@ant-design/icons";
import { Button, Flex, Form, Input, Progress, theme } from "antd";
import { useState } from "react";
import { useTranslation } from "@/kernel/i18n";
import { type PasswordFault, passwordFaults, passwordScore, randomPassword } from "./strength";

interface FieldsProps {
  /** Name of the field, as the call wants it. */
  name: string;
  label: string;
  username: string;
  /** Offers a random password, for accounts of others. */
  offerRandom?: boolean;
}

/** A new password typed twice, with hints on its strength while it is typed. */
export function NewPassword({ name, label, username, offerRandom }: FieldsProps) {
  const { t } = useTranslation("identity");
  const form = Form.useFormInstance();
  const [visible, setVisible] = useState(false);
  const again = `${name}Again`;
  const fillRandom = () => {
    const random = randomPassword();
    form.setFieldsValue({ [name]: random, [again]: random });
    setVisible(true);
  };
  const visibility = { visible, onVisibleChange: setVisible };
  return (
    <>
      <Form.Item
        name={name}
        label={label}
        extra={<Hints name={name} username={username} />}
        rules={[
          { required: true, message: t("password.required") },
          {
            validator: async (_rule, value: string | undefined) => {
              const [fault] = value ? passwordFaults(value, username) : [];
              if (fault) throw new Error(t("password.faulty", { rule: t(`password.fault.${fault}`) }));
            },
          },
        ]}
      >
        <Input.Password autoComplete="new-password" maxLength={64} visibilityToggle={visibility} />
      </Form.Item>
      {offerRandom ? (
        <Button type="link" style={{ padding: 0, marginBottom: 16 }} onClick={fillRandom}>
          {t("password.random")}
        </Button>
      ) : null}
      <Form.Item
        name={again}
        label={t("password.again")}
        dependencies={[name]}
        rules={[
          { required: true, message: t("password.againRequired") },
          {
            validator: async (_rule, value: string | undefined) => {
              if (value && value !== form.getFieldValue(name)) throw new Error(t("password.differ"));
            },
          },
        ]}
      >
        <Input.Password autoComplete="new-password" maxLength={64} visibilityToggle={visibility} />
      </Form.Item>
    </>
  );
}

const faults: PasswordFault[] = ["length", "username", "pattern"];

function Hints({ name, username }: { name: string; username: string }) {
  const { t } = useTranslation("identity");
  const password = Form.useWatch<string | undefined>(name) ?? "";
  const found = passwordFaults(password, username);
  const score = passwordScore(password, username);
  const { token } = theme.useToken();
  const colors = [token.colorError, token.colorError, token.colorWarning, token.colorSuccess];
  return (
    <Flex vertical gap={4} style={{ marginTop: 4 }}>
      <Flex gap={8} align="center">
        <Progress
          percent={password ? Math.max(8, (score / 3) * 100) : 0}
          steps={3}
          size={[40, 6]}
          showInfo={false}
          strokeColor={colors[score]}
          aria-label={t("password.strength")}
        />
        <span role="status">{password ? t(`password.score.${score}`) : t("password.advice")}</span>
      </Flex>
      <ul style={{ listStyle: "none", margin: 0, padding: 0 }}>
        {faults.map((fault) => {
          const fine = password !== "" && !found.includes(fault);
          return (
            <li key={fault}>
              <Mark state={password === "" ? "open" : fine ? "met" : "missed"} />{" "}
              {t(`password.fault.${fault}`)}
            </li>
          );
        })}
      </ul>
    </Flex>
  );
}

function Mark({ state }: { state: "open" | "met" | "missed" }) {
  const { t } = useTranslation("identity");
  const { token } = theme.useToken();
  if (state === "open") return <span aria-hidden="true">○</span>;
  if (state === "missed") {
    return (
      <CloseCircleOutlined role="img" aria-label={t("password.open")} style={{ color: token.colorError }} />
    );
  }
  return (
    <CheckCircleFilled role="img" aria-label={t("password.met")} style={{ color: token.colorSuccess }} />
  );
}
