import { Alert, Button, Form, Input, Radio } from "antd";
import { useState } from "react";
import { errorText } from "@/kernel/api/errors";
import { useDict } from "@/kernel/dict";
import { requiredMark, showRefusedFields } from "@/kernel/form";
import { useTranslation } from "@/kernel/i18n";
import { isEmail } from "@/kernel/rules";
import { toast, useUnsaved } from "@/kernel/ui";
import { type Profile, updateProfile } from "./calls";

type Data = Pick<Profile, "nickname" | "mobile" | "email" | "sex" | "introduction">;

interface Props {
  profile: Profile;
  onDone: () => Promise<unknown>;
}

const MOBILE = /^(?:(?:\+|00)86)?1\d{10}$/;

/** What a user may change of his own data. */
export function DataForm({ profile, onDone }: Props) {
  const { t } = useTranslation("identity");
  const sexes = useDict("system_user_sex");
  const [form] = Form.useForm<Data>();
  const [dirty, setDirty] = useState(false);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState("");
  useUnsaved(dirty);
  const save = async (data: Data) => {
    setBusy(true);
    setProblem("");
    try {
      await updateProfile(data);
      setDirty(false);
      toast.success(t("profile.saved"));
      await onDone();
    } catch (error) {
      if (showRefusedFields(form, error).length === 0) setProblem(errorText(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Form<Data>
      form={form}
      layout="vertical"
      requiredMark={requiredMark}
      className="profile-form"
      validateTrigger="onBlur"
      initialValues={profile}
      scrollToFirstError={{ focus: true, block: "center" }}
      onValuesChange={() => setDirty(true)}
      onFinish={(data) => void save(data)}
    >
      {problem ? <Alert type="error" role="alert" title={problem} style={{ marginBottom: 16 }} /> : null}
      <Form.Item
        name="nickname"
        label={t("profile.nickname")}
        rules={[{ required: true, whitespace: true, message: t("profile.nicknameMissing") }]}
      >
        <Input maxLength={30} showCount autoComplete="name" />
      </Form.Item>
      <Form.Item
        name="mobile"
        label={t("profile.mobile")}
        extra={t("profile.mobileHelp")}
        rules={[{ pattern: MOBILE, message: t("profile.mobileRule") }]}
      >
        <Input maxLength={20} type="tel" autoComplete="tel" />
      </Form.Item>
      <Form.Item
        name="email"
        label={t("profile.email")}
        rules={[
          {
            validator: async (_rule, value: string | undefined) => {
              if (value && !isEmail(value.trim())) throw new Error(t("profile.emailRule"));
            },
          },
        ]}
      >
        <Input maxLength={50} type="email" autoComplete="email" />
      </Form.Item>
      <Form.Item name="sex" label={t("profile.sex")}>
        <Radio.Group
          options={[
            ...sexes.map((sex) => ({ value: Number(sex.value), label: sex.label })),
            { value: 0, label: t("profile.sexUnsaid") },
          ]}
        />
      </Form.Item>
      <Form.Item name="introduction" label={t("profile.introduction")}>
        <Input.TextArea autoSize={{ minRows: 3, maxRows: 8 }} maxLength={500} showCount />
      </Form.Item>
      <Button type="primary" htmlType="submit" loading={busy} style={{ marginTop: 8 }}>
        {t("profile.save")}
      </Button>
    </Form>
  );
}
