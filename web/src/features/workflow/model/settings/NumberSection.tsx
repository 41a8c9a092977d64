import { AutoComplete, Flex, Form, Input, InputNumber, Switch, Typography } from "antd";
import { useTranslation } from "@/kernel/i18n";
import { firstNumber, fits, isInfix, type NumberRule } from "./number";
import { Refused } from "./Refused";

const patterns = ["yyyyMMdd", "yyyyMM", "yyyy", "yyMMdd", "yyyy-MM-dd-"];
const member = "processIdRule";

/** How instances are numbered, with the number the first one of today would get. */
export function NumberSection() {
  const { t } = useTranslation("workflow");
  const form = Form.useFormInstance();
  const rule = Form.useWatch<NumberRule | undefined>(member, form);
  const off = !rule?.enable;
  return (
    <>
      <Form.Item name={[member, "enable"]} label={t("settings.numberOn")} valuePropName="checked">
        <Switch />
      </Form.Item>
      {off ? null : (
        <>
          <Flex gap={12} wrap>
            <Form.Item name={[member, "prefix"]} label={t("settings.prefix")} className="settings-part">
              <Input maxLength={30} />
            </Form.Item>
            <Form.Item
              name={[member, "infix"]}
              label={t("settings.infix")}
              className="settings-part"
              rules={[
                {
                  validator: (_, text: string) =>
                    isInfix(text ?? "")
                      ? Promise.resolve()
                      : Promise.reject(new Error(t("settings.infixBad"))),
                },
              ]}
            >
              <AutoComplete options={patterns.map((value) => ({ value }))} allowClear />
            </Form.Item>
            <Form.Item
              name={[member, "length"]}
              label={t("settings.digits")}
              className="settings-part"
              rules={[{ required: true, message: t("settings.digitsMissing") }]}
            >
              <InputNumber min={1} max={12} precision={0} />
            </Form.Item>
            <Form.Item
              name={[member, "postfix"]}
              label={t("settings.postfix")}
              className="settings-part"
              dependencies={[[member, "prefix"]]}
              rules={[
                {
                  validator: () =>
                    fits(form.getFieldValue(member) as NumberRule)
                      ? Promise.resolve()
                      : Promise.reject(new Error(t("settings.numberLong"))),
                },
              ]}
            >
              <Input maxLength={30} />
            </Form.Item>
          </Flex>
          <Typography.Paragraph aria-live="polite">
            {t("settings.numberFirst")} <strong>{firstNumber(rule, new Date()) || "—"}</strong>
          </Typography.Paragraph>
          <Typography.Paragraph type="secondary">{t("settings.numberHelp")}</Typography.Paragraph>
        </>
      )}
      <Refused name={member} />
    </>
  );
}
