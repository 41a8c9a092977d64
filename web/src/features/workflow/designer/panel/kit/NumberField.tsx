import { Form, InputNumber } from "antd";
import { useId, useState } from "react";

interface Props {
  label: string;
  value: number;
  min: number;
  max: number;
  onCommit: (value: number) => void;
}

/** A whole number within bounds; written on leaving the field. */
export function NumberField({ label, value, min, max, onCommit }: Props) {
  const id = useId();
  const [draft, setDraft] = useState<number | null>(value);
  const [seen, setSeen] = useState(value);
  if (seen !== value) {
    setSeen(value);
    setDraft(value);
  }
  const commit = () => {
    if (draft === null) setDraft(value);
    else if (draft !== value) onCommit(draft);
  };
  return (
    <Form.Item label={label} htmlFor={id}>
      <InputNumber
        id={id}
        value={draft}
        min={min}
        max={max}
        precision={0}
        onChange={setDraft}
        onBlur={commit}
        onPressEnter={commit}
        style={{ width: "100%" }}
      />
    </Form.Item>
  );
}
