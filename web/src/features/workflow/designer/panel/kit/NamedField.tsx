import { Form, Select } from "antd";
import { useId } from "react";
import { useTranslation } from "@/kernel/i18n";
import { TextField } from "./TextField";
import type { Handler } from "./useHandlers";

interface Props {
  label: string;
  value: string;
  choices: readonly Handler[];
  onCommit: (value: string) => void;
}

/** A name the server knows, picked from a list, or another one typed below. */
export function NamedField({ label, value, choices, onCommit }: Props) {
  const { t } = useTranslation("panel");
  const id = useId();
  return (
    <>
      {choices.length > 0 ? (
        <Form.Item label={t("handler.pick", { label })} htmlFor={id}>
          <Select
            id={id}
            value={choices.some(({ name }) => name === value) ? value : undefined}
            placeholder={t("handler.choose")}
            showSearch={{ optionFilterProp: "label" }}
            onChange={onCommit}
            options={choices.map(({ name, title }) => ({ value: name, label: `${title} · ${name}` }))}
          />
        </Form.Item>
      ) : null}
      <TextField
        label={label}
        value={value}
        help={choices.some(({ name }) => name === value) || value === "" ? undefined : t("handler.unknown")}
        onCommit={onCommit}
      />
    </>
  );
}
