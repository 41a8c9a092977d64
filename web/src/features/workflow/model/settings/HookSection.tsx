import { Collapse, Form, Input } from "antd";
import { useTranslation } from "@/kernel/i18n";
import { HookParams } from "./HookParams";
import { Refused } from "./Refused";
import { type HookName, hookNames, type Settings } from "./settings";

/** The calls to other systems; those with an address say so while they are closed. */
export function HookSection({ fields }: { fields: readonly FieldChoice[] }) {
  const { t } = useTranslation("workflow");
  return (
    <>
      <p>{t("settings.hookAbout")}</p>
      <Collapse
        items={hookNames.map((name) => ({
          key: name,
          forceRender: true,
          label: t(`settings.hook.${name}`),
          extra: <Whether name={name} />,
          children: <Hook name={name} fields={fields} />,
        }))}
      />
    </>
  );
}

function Whether({ name }: { name: HookName }) {
  const { t } = useTranslation("workflow");
  const url = Form.useWatch([name, "url"], Form.useFormInstance<Settings>()) as string | undefined;
  return t(url ? "settings.hookOn" : "settings.hookOff");
}

export interface FieldChoice {
  value: string;
  label: string;
}

function Hook({ name, fields }: { name: HookName; fields: readonly FieldChoice[] }) {
  const { t } = useTranslation("workflow");
  return (
    <>
      <p className="settings-help">{t(`settings.hookHelp.${name}`)}</p>
      <Form.Item
        name={[name, "url"]}
        label={t("settings.url")}
        rules={[{ pattern: /^https?:\/\/[^\s@]+$/i, message: t("settings.urlBad") }]}
      >
        <Input maxLength={1000} placeholder="https://" allowClear />
      </Form.Item>
      <HookParams at={[name, "header"]} label={t("settings.header")} fields={fields} typed />
      <HookParams at={[name, "body"]} label={t("settings.body")} fields={fields} typed />
      <HookParams at={[name, "response"]} label={t("settings.response")} fields={fields} />
      <Refused name={name} />
    </>
  );
}
