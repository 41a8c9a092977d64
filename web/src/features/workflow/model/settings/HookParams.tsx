import { DeleteOutlined, PlusOutlined } from "@ant-design/icons";
import { AutoComplete, Button, Flex, Form, Input, Select } from "antd";
import { useTranslation } from "@/kernel/i18n";
import type { FieldChoice } from "./HookSection";

const FIELD = 1;
const FIXED = 2;

interface Props {
  at: [string, string];
  label: string;
  fields: readonly FieldChoice[];
  /** Whether a value is a field of the form or stands for itself; of an answer it is a place in it. */
  typed?: boolean;
}

/** The parameters of a call, one a line. */
export function HookParams({ at, label, fields, typed }: Props) {
  const { t } = useTranslation("workflow");
  return (
    <Form.Item label={label}>
      <Form.List name={at}>
        {(lines, { add, remove }) => (
          <Flex vertical gap={8}>
            {lines.map((line, index) => (
              <Flex key={line.key} gap={8} align="start" wrap className="settings-param">
                <Form.Item
                  name={[line.name, "key"]}
                  className="settings-part"
                  rules={[{ required: true, whitespace: true, message: t("settings.nameMissing") }]}
                >
                  {typed ? (
                    <Input
                      placeholder={t("settings.paramName")}
                      aria-label={t("settings.paramNameOf", { label, at: index + 1 })}
                      maxLength={100}
                    />
                  ) : (
                    <AutoComplete
                      options={[...fields]}
                      placeholder={t("settings.paramField")}
                      aria-label={t("settings.paramFieldOf", { label, at: index + 1 })}
                    />
                  )}
                </Form.Item>
                {typed ? (
                  <Form.Item name={[line.name, "type"]} initialValue={FIXED}>
                    <Select
                      aria-label={t("settings.paramTypeOf", { label, at: index + 1 })}
                      style={{ width: 110 }}
                      options={[FIELD, FIXED].map((value) => ({
                        value,
                        label: t(`settings.paramType.${value}`),
                      }))}
                    />
                  </Form.Item>
                ) : null}
                <Form.Item name={[line.name, "value"]} className="settings-part">
                  <AutoComplete
                    options={typed ? [...fields] : []}
                    placeholder={t(typed ? "settings.paramValue" : "settings.paramPlace")}
                    aria-label={t("settings.paramValueOf", { label, at: index + 1 })}
                  />
                </Form.Item>
                <Button
                  type="text"
                  icon={<DeleteOutlined aria-hidden />}
                  aria-label={t("settings.paramRemove", { label, at: index + 1 })}
                  onClick={() => remove(line.name)}
                />
              </Flex>
            ))}
            <div>
              <Button
                size="small"
                icon={<PlusOutlined aria-hidden />}
                aria-label={t("settings.paramAddTo", { label })}
                onClick={() => add({ key: "", value: "" })}
              >
                {t("settings.paramAdd")}
              </Button>
            </div>
          </Flex>
        )}
      </Form.List>
    </Form.Item>
  );
}
