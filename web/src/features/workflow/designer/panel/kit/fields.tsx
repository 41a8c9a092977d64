import { Checkbox, Form, Select } from "antd";
import { type ReactNode, useId } from "react";

export interface Option {
  value: string;
  label: string;
}

interface SelectProps {
  label: string;
  value: string;
  options: Option[];
  onChange: (value: string) => void;
  help?: string;
  disabled?: boolean;
  /** Words nobody foresaw may be given as well. */
  free?: boolean;
}

/** Chooses one value; one of the file that is not in the list is shown as it is. */
export function SelectField({ label, value, options, onChange, help, disabled }: SelectProps) {
  const id = useId();
  const known = options.some((option) => option.value === value);
  return (
    <Form.Item label={label} htmlFor={id} help={help}>
      <Select
        id={id}
        value={value}
        disabled={disabled}
        virtual={false}
        onChange={(next) => (next === value ? undefined : onChange(next))}
        showSearch={options.length > 8 ? { optionFilterProp: "label" } : false}
        options={known ? options : [...options, { value, label: value }]}
      />
    </Form.Item>
  );
}

interface CheckProps {
  label: string;
  value: boolean;
  onChange: (value: boolean) => void;
  help?: string;
  disabled?: boolean;
}

/** Yes or no. */
export function CheckField({ label, value, onChange, help, disabled }: CheckProps) {
  const id = useId();
  return (
    <Form.Item className="panel-check" help={help ? <span id={id}>{help}</span> : undefined}>
      <Checkbox
        checked={value}
        disabled={disabled}
        aria-describedby={help ? id : undefined}
        onChange={(event) => onChange(event.target.checked)}
      >
        {label}
      </Checkbox>
    </Form.Item>
  );
}

/** A control of any kind with its label above. */
export function Labelled({ label, help, children }: { label: string; help?: string; children: ReactNode }) {
  return (
    <Form.Item label={label} help={help}>
      {children}
    </Form.Item>
  );
}
