import type { FormInstance } from "antd";
import { Form, Input, Select } from "antd";
import { ActDialog } from "@/kernel/form";
import { useTranslation } from "@/kernel/i18n";
import { FieldRows } from "../kit/FieldRows";
import { type ListenerKind, type ListenerValues, listenerKinds, writeListener } from "../kit/listener";
import { StoredListener } from "../kit/StoredListener";
import { useScope } from "../kit/scope";
import { looksRight, type TimerKind, timerKinds } from "../kit/timer";
import { useHandlers } from "../kit/useHandlers";
import type { ModdleElement } from "../kit/wire";

export type ListenerUse = "execution" | "task";

const events: Record<ListenerUse, string[]> = {
  execution: ["start", "end"],
  task: ["create", "assignment", "complete", "delete", "update", "timeout"],
};

interface Props {
  use: ListenerUse;
  /** Flows are taken; other elements start and end. */
  takes?: boolean;
  listener?: ModdleElement;
  initial: ListenerValues;
  onSave: (written: ReturnType<typeof writeListener>) => void;
  onClose: () => void;
}

/** What a listener reacts to and what it does then. */
export function ListenerDialog({ use, takes, listener, initial, onSave, onClose }: Props) {
  const { t } = useTranslation("panel");
  const scope = useScope();
  const type = use === "task" ? "TaskListener" : "ExecutionListener";
  const possible = takes ? ["take"] : events[use];
  const offered =
    !initial.event || possible.includes(initial.event) ? possible : [...possible, initial.event];
  return (
    <ActDialog<ListenerValues>
      open
      title={t(listener ? "listener.edit" : "listener.add")}
      okText={t("table.save")}
      width={600}
      initial={initial}
      onSubmit={async (values) => onSave(writeListener(scope, type, values, listener))}
      onClose={onClose}
    >
      {(form) => (
        <>
          <StoredListener use={use} form={form} />
          <Form.Item
            name="event"
            label={t("listener.event")}
            rules={[{ required: true, message: t("listener.eventEmpty") }]}
          >
            <Select
              options={offered.map((value) => ({
                value,
                label: t(`listener.events.${value}`, { defaultValue: value }),
              }))}
            />
          </Form.Item>
          {use === "task" ? (
            <Form.Item
              name="id"
              label={t("listener.id")}
              rules={[{ required: true, whitespace: true, message: t("listener.idEmpty") }]}
            >
              <Input />
            </Form.Item>
          ) : null}
          <Form.Item
            name="listenerType"
            label={t("listener.type")}
            rules={[{ required: true, message: t("listener.typeEmpty") }]}
          >
            <Select
              options={listenerKinds.map((value) => ({ value, label: t(`listener.types.${value}`) }))}
            />
          </Form.Item>
          <Work form={form} use={use} />
          {use === "task" ? <Timeout form={form} /> : null}
          <FieldRows />
        </>
      )}
    </ActDialog>
  );
}

interface WorkProps {
  form: FormInstance<ListenerValues>;
  use: ListenerUse;
}

const member: Record<
  Exclude<ListenerKind, "scriptListener">,
  "class" | "expression" | "delegateExpression"
> = {
  classListener: "class",
  expressionListener: "expression",
  delegateExpressionListener: "delegateExpression",
};

/** The class, expression or script that runs. */
function Work({ form, use }: WorkProps) {
  const { t } = useTranslation("panel");
  const kind = Form.useWatch("listenerType", form);
  const handlers = useHandlers().filter((one) => one.kind === "handler" && one.uses.includes(use));
  if (!kind) return null;
  if (kind === "scriptListener") return <Script form={form} />;
  const name = member[kind];
  return (
    <>
      {name === "class" && handlers.length > 0 ? (
        <Form.Item label={t("handler.pick", { label: t("attr.class") })} htmlFor="listener-handler">
          <Select
            id="listener-handler"
            placeholder={t("handler.choose")}
            onChange={(value: string) => form.setFieldValue("class", value)}
            options={handlers.map((one) => ({ value: one.name, label: `${one.title} · ${one.name}` }))}
          />
        </Form.Item>
      ) : null}
      <Form.Item
        name={name}
        label={t(`attr.${name}`)}
        rules={[{ required: true, whitespace: true, message: t(`listener.empty.${name}`) }]}
      >
        <Input />
      </Form.Item>
    </>
  );
}

function Script({ form }: { form: FormInstance<ListenerValues> }) {
  const { t } = useTranslation("panel");
  const external = Form.useWatch("scriptType", form) === "externalScript";
  return (
    <>
      <Form.Item
        name="scriptFormat"
        label={t("script.format")}
        rules={[{ required: true, whitespace: true, message: t("script.formatEmpty") }]}
      >
        <Input />
      </Form.Item>
      <Form.Item
        name="scriptType"
        label={t("script.type")}
        rules={[{ required: true, message: t("script.typeEmpty") }]}
      >
        <Select
          options={["inlineScript", "externalScript"].map((value) => ({
            value,
            label: t(`script.types.${value}`),
          }))}
        />
      </Form.Item>
      {external ? (
        <Form.Item
          name="resource"
          label={t("script.resource")}
          rules={[{ required: true, whitespace: true, message: t("script.resourceEmpty") }]}
        >
          <Input />
        </Form.Item>
      ) : (
        <Form.Item
          name="script"
          label={t("script.body")}
          rules={[{ required: true, whitespace: true, message: t("script.bodyEmpty") }]}
        >
          <Input.TextArea autoSize={{ minRows: 2, maxRows: 6 }} />
        </Form.Item>
      )}
    </>
  );
}

/** The clock of a listener for timeout. */
function Timeout({ form }: { form: FormInstance<ListenerValues> }) {
  const { t } = useTranslation("panel");
  const event = Form.useWatch("event", form);
  const kind = Form.useWatch("eventDefinitionType", form);
  if (event !== "timeout") return null;
  const timed = kind !== undefined && kind !== "none";
  return (
    <>
      <Form.Item name="eventDefinitionType" label={t("timer.kind")} initialValue="none">
        <Select
          options={["none", ...timerKinds].map((value) => ({ value, label: t(`timer.kinds.${value}`) }))}
        />
      </Form.Item>
      {timed ? (
        <Form.Item
          name="eventTimeDefinitions"
          label={t("timer.value")}
          extra={t(`timer.help.${kind}`)}
          rules={[
            { required: true, whitespace: true, message: t("timer.empty") },
            {
              validator: (_, value: string) =>
                looksRight(kind as TimerKind, value ?? "")
                  ? Promise.resolve()
                  : Promise.reject(new Error(t("timer.wrong", { example: t(`timer.example.${kind}`) }))),
            },
          ]}
        >
          <Input />
        </Form.Item>
      ) : null}
    </>
  );
}
