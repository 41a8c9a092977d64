import { Form, Select, Typography } from "antd";
import { useEffect } from "react";
import { type BaseRow, crudPage } from "@/kernel/crud";
import { t, useTranslation } from "@/kernel/i18n";

interface ProcessListener extends BaseRow {
  name: string;
  type: string;
  event: string;
  valueType: string;
  value: string;
  status: number;
  createTime: number;
}

/** What a listener of the type can react to; the server knows the same lists. */
const events: Record<string, string[]> = {
  execution: ["start", "end", "take"],
  task: ["create", "assignment", "complete", "delete", "update", "timeout"],
};

function eventText(event: string): string {
  return t(`workflow:listener.event.${event}`, { defaultValue: event });
}

interface Props {
  id?: string;
  value?: unknown;
  onChange?: (value: unknown) => void;
}

/** The events of the chosen type; one that the type does not have is taken away. */
function EventSelect({ id, value, onChange }: Props) {
  useTranslation("workflow");
  const type = Form.useWatch("type") as string | undefined;
  const possible = type ? (events[type] ?? []) : [];
  const misfit = !!type && !!value && !possible.includes(String(value));
  useEffect(() => {
    if (misfit) onChange?.(undefined);
  }, [misfit, onChange]);
  return (
    <Select
      id={id}
      value={misfit ? undefined : (value as string | undefined)}
      onChange={onChange}
      disabled={!type}
      placeholder={type ? undefined : t("workflow:listener.typeFirst")}
      options={possible.map((event) => ({ value: event, label: eventText(event) }))}
      style={{ width: "100%" }}
    />
  );
}

export default crudPage<ProcessListener>("bpm/process-listener", {
  ns: "workflow",
  description: "workflow:listener.about",
  columns: [
    { name: "name", search: true },
    { name: "type", search: true, half: true, initial: "execution" },
    {
      name: "event",
      half: true,
      width: 140,
      render: (value) => eventText(String(value)),
      input: ({ id, value, onChange }) => <EventSelect id={id} value={value} onChange={onChange} />,
    },
    { name: "valueType", initial: "expression" },
    {
      name: "value",
      width: 280,
      help: "workflow:listener.valueHelp",
      render: (value) => <Typography.Text code>{String(value)}</Typography.Text>,
    },
    { name: "status", search: true, initial: 0 },
    { name: "createTime", optional: true },
  ],
});
