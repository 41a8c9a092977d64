import { Form, Input } from "antd";
import { type KeyboardEvent, useId, useState } from "react";
import { useExpressionCheck } from "./useExpressionCheck";

interface Props {
  label: string;
  value: string;
  /** Called once when the writer leaves the field, not for every letter. */
  onCommit: (value: string) => void;
  /** Says what is wrong with a text; such a text is not written. */
  check?: (value: string) => string;
  /** Whether the text may, or has to, hold an expression; it is then read by the server's parser. */
  expression?: "may" | "must";
  lines?: number;
  disabled?: boolean;
  required?: boolean;
  help?: string;
}

/** A text of the diagram. What is typed is written on leaving the field or with Enter; Escape takes it back. */
export function TextField({ label, value, onCommit, check, expression, lines, ...rest }: Props) {
  const { disabled, required, help } = rest;
  const id = useId();
  const [draft, setDraft] = useState(value);
  const [seen, setSeen] = useState(value);
  const [problem, setProblem] = useState("");
  if (seen !== value) {
    setSeen(value);
    setDraft(value);
    setProblem("");
  }
  const warning = useExpressionCheck(draft, expression);
  const commit = () => {
    const wrong = check?.(draft) ?? "";
    setProblem(wrong);
    if (wrong === "" && draft !== value) onCommit(draft);
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key === "Escape" && draft !== value) {
      event.stopPropagation();
      setDraft(value);
      setProblem("");
    } else if (event.key === "Enter" && !lines && !event.nativeEvent.isComposing) commit();
    // The page's own shortcuts (save) must find what was typed.
    else if ((event.ctrlKey || event.metaKey) && event.key === "s") commit();
  };
  const message = problem || warning || help;
  const noteId = `${id}-note`;
  const control = {
    id,
    value: draft,
    disabled,
    required,
    "aria-describedby": message ? noteId : undefined,
    "aria-invalid": problem !== "" || undefined,
    onBlur: commit,
    onKeyDown: onKey,
  };
  return (
    <Form.Item
      label={label}
      htmlFor={id}
      required={required}
      validateStatus={problem ? "error" : warning ? "warning" : undefined}
      help={message ? <span id={noteId}>{message}</span> : undefined}
    >
      {lines ? (
        <Input.TextArea
          {...control}
          autoSize={{ minRows: lines, maxRows: Math.max(4, lines) }}
          onChange={(event) => setDraft(event.target.value)}
        />
      ) : (
        <Input {...control} onChange={(event) => setDraft(event.target.value)} />
      )}
    </Form.Item>
  );
}
