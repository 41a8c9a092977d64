import { Button, Flex, Form, Switch } from "antd";
import { RichText } from "@/kernel/html";
import { useTranslation } from "@/kernel/i18n";
import { toast } from "@/kernel/ui";
import type { FieldChoice } from "./HookSection";
import { Refused } from "./Refused";
import type { Settings } from "./settings";

const member = "printTemplateSetting";

const ours = [
  "PROCESS_DEFINITION_NAME",
  "PROCESS_NAME",
  "PROCESS_NUMBER",
  "PROCESS_START_USER",
  "PROCESS_START_DEPT",
  "PROCESS_START_TIME",
  "PROCESS_END_TIME",
  "PROCESS_RESULT",
  "PROCESS_TASKS",
];

/** What is printed in place of the form. */
export function PrintSection({ fields }: { fields: readonly FieldChoice[] }) {
  const { t } = useTranslation("workflow");
  const form = Form.useFormInstance<Settings>();
  const on = Form.useWatch([member, "enable"], form) as boolean | undefined;
  const places = [...ours.map((value) => ({ value, label: t(`settings.printPlace.${value}`) })), ...fields];
  const copy = async (name: string) => {
    const text = `{${name}}`;
    await navigator.clipboard.writeText(text);
    toast.success(t("settings.printCopied", { text }));
  };
  return (
    <>
      <Form.Item name={[member, "enable"]} label={t("settings.printOn")} valuePropName="checked">
        <Switch />
      </Form.Item>
      {on ? (
        <>
          <Flex gap={8} wrap role="group" aria-label={t("settings.printPlaces")} style={{ marginBottom: 16 }}>
            {places.map((place) => (
              <Button key={place.value} size="small" onClick={() => void copy(place.value)}>
                {place.label}
              </Button>
            ))}
          </Flex>
          <Form.Item
            name={[member, "template"]}
            label={t("settings.printTemplate")}
            extra={t("settings.printHelp")}
            rules={[{ required: true, message: t("settings.printMissing") }]}
          >
            <RichText label={t("settings.printTemplate")} />
          </Form.Item>
        </>
      ) : null}
      <Refused name={member} />
    </>
  );
}
