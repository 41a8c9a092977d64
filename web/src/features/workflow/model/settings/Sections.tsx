import { Button, Flex, Form, Input, Radio, Select, Switch } from "antd";
import { RefSelect } from "@/kernel/crud";
import { useTranslation } from "@/kernel/i18n";
import type { FieldChoice } from "./HookSection";
import { Refused } from "./Refused";
import type { Settings } from "./settings";

const users = "/system/user/list-all-simple";

/** Who may start the process and who looks after it. */
export function PeopleSection() {
  const { t } = useTranslation("workflow");
  return (
    <>
      <Form.Item name="startUserIds" label={t("settings.startUsers")} extra={t("model.startersHelp")}>
        <RefSelect path={users} multiple />
      </Form.Item>
      <Form.Item name="startDeptIds" label={t("settings.startDepts")}>
        <RefSelect path="/system/dept/list-all-simple" multiple />
      </Form.Item>
      <Form.Item name="visible" label={t("settings.visible")} valuePropName="checked">
        <Switch />
      </Form.Item>
      <Form.Item name="managerUserIds" label={t("settings.managers")} extra={t("model.managersHelp")}>
        <RefSelect path={users} multiple />
      </Form.Item>
    </>
  );
}

/** What people may take back, and whether they decide twice. */
export function DecisionSection() {
  const { t } = useTranslation("workflow");
  return (
    <>
      <Form.Item name="allowCancelRunningProcess" label={t("settings.mayCancel")} valuePropName="checked">
        <Switch />
      </Form.Item>
      <Form.Item
        name="allowWithdrawTask"
        label={t("settings.mayWithdraw")}
        extra={t("settings.withdrawHelp")}
        valuePropName="checked"
      >
        <Switch />
      </Form.Item>
      <Form.Item name="autoApprovalType" label={t("settings.repeats")}>
        <Radio.Group
          className="settings-choices"
          options={[0, 1, 2].map((value) => ({ value, label: t(`settings.repeat.${value}`) }))}
        />
      </Form.Item>
    </>
  );
}

const ours = ["PROCESS_DEFINITION_NAME", "PROCESS_START_USER_ID", "PROCESS_START_TIME"];

/** How instances are called and what stands for them in lists. */
export function NamingSection({ fields }: { fields: readonly FieldChoice[] }) {
  const { t } = useTranslation("workflow");
  const form = Form.useFormInstance<Settings>();
  const titled = Form.useWatch(["titleSetting", "enable"], form) as boolean | undefined;
  const summed = Form.useWatch(["summarySetting", "enable"], form) as boolean | undefined;
  const put = (name: string) => {
    const now = String(form.getFieldValue(["titleSetting", "title"]) ?? "");
    form.setFieldValue(["titleSetting", "title"], `${now}{${name}}`);
  };
  const places = [...ours.map((value) => ({ value, label: t(`settings.place.${value}`) })), ...fields];
  return (
    <>
      <Form.Item name={["titleSetting", "enable"]} label={t("settings.titleOn")} valuePropName="checked">
        <Switch />
      </Form.Item>
      {titled ? (
        <>
          <Form.Item
            name={["titleSetting", "title"]}
            label={t("settings.title")}
            extra={t("settings.titleHelp")}
            rules={[{ required: true, whitespace: true, message: t("settings.titleMissing") }]}
          >
            <Input maxLength={200} showCount />
          </Form.Item>
          <Flex gap={8} wrap role="group" aria-label={t("settings.places")} style={{ marginBottom: 16 }}>
            {places.map((place) => (
              <Button key={place.value} size="small" onClick={() => put(place.value)}>
                {place.label}
              </Button>
            ))}
          </Flex>
        </>
      ) : null}
      <Refused name="titleSetting" />
      <Form.Item name={["summarySetting", "enable"]} label={t("settings.summaryOn")} valuePropName="checked">
        <Switch />
      </Form.Item>
      {summed ? (
        <Form.Item name={["summarySetting", "summary"]} label={t("settings.summary")}>
          <Select mode="tags" maxCount={20} options={[...fields]} tokenSeparators={[",", "，"]} />
        </Form.Item>
      ) : null}
      <Refused name="summarySetting" />
    </>
  );
}
