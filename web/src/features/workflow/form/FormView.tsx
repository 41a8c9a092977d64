import { Alert, Form, type FormInstance } from "antd";
import { memo, type Ref, useId, useImperativeHandle, useMemo, useState } from "react";
import { requiredMark } from "@/kernel/form";
import { SafeHtml } from "@/kernel/html";
import { useTranslation } from "@/kernel/i18n";
import { useMobile } from "@/kernel/ui";
import { FieldControl } from "./controls";
import { FormTable } from "./FormTable";
import { type FormField, fieldOf } from "./field";
import { isInput } from "./kinds";
import { type Item, readItems } from "./model";
import { ReadValue } from "./ReadValue";
import { refusalOf } from "./validate";
import { type FormValues, inputsOf, startValues } from "./values";
import "./form.css";

/** What a decider may do with a field: 1 read, 2 write, 3 not see; by field name. */
export type FieldPermissions = Readonly<Record<string, number | string>>;

export type Access = "read" | "write" | "hidden";

export interface FormViewHandle {
  /**
   * What can be sent as variables: the fields this person may write, by name. Numbers and
   * amounts (in yuan) are numbers, switches booleans, choices what the option holds, people
   * and departments ids, files ids (a list when more than one may be given), tables lists of
   * objects. Dates are local texts, 2026-03-01, 2026-03-01 08:30:00 and 08:30, which
   * expressions read as times and order as texts; a design may ask for milliseconds
   * instead. A range is a list of two. What is empty is null, so that it clears the variable.
   */
  values: () => FormValues;
  /** Those values when nothing is refused; else null, with the reasons shown and the first one focused. */
  validate: () => Promise<FormValues | null>;
}

interface Props {
  ref?: Ref<FormViewHandle>;
  /** The items of the design: the fields of the stored form. */
  fields: readonly string[];
  /** What the fields begin with; to begin anew with others, give another key. */
  values?: FormValues;
  /** Without them every field may be written. */
  permissions?: FieldPermissions;
  /** What holds for a field the permissions leave out; the server lets deciders read it. */
  unlisted?: Access;
  /** Nothing can be changed: for looking at it and for paper. */
  readOnly?: boolean;
  /** As on a phone, whatever the window's width. */
  narrow?: boolean;
  /** Something was changed by hand. */
  onChange?: () => void;
}

const levels: Record<string, Access> = { 1: "read", 2: "write", 3: "hidden" };

/** Draws a form as designed: to fill in, to read, or both by field. */
export function FormView(props: Props) {
  const { ref, fields, values, permissions, unlisted = "read", readOnly = false } = props;
  const { t } = useTranslation(["workflow", "kernel"]);
  const [form] = Form.useForm<FormValues>();
  const [problem, setProblem] = useState("");
  const id = useId();
  const mobile = useMobile();
  const items = useMemo(() => readItems(fields), [fields]);
  const start = useMemo(() => startValues(items, values), [items, values]);
  const accessTo = useMemo(
    () => accessOf(permissions, unlisted, readOnly),
    [permissions, unlisted, readOnly],
  );

  const writable = () => inputsOf(items).filter((item) => accessTo(fieldOf(item).name) === "write");
  const sent = () => sentValues(form, writable());
  const validate = async () => {
    try {
      await form.validateFields();
      setProblem("");
      return sent();
    } catch {
      setProblem(
        explain(form, writable(), (total, names) => t("kernel:form.missing", { count: total, names })),
      );
      return null;
    }
  };
  useImperativeHandle(ref, () => ({ values: sent, validate }));

  return (
    <Form
      name={id}
      form={form}
      component={false}
      layout="vertical"
      validateTrigger="onBlur"
      requiredMark={requiredMark}
      initialValues={start}
      onValuesChange={props.onChange}
    >
      <div className="form-view">
        {problem ? <Alert type="error" role="alert" className="form-problem" title={problem} /> : null}
        <Items items={items} start={start} accessTo={accessTo} narrow={props.narrow ?? mobile} />
      </div>
    </Form>
  );
}

function accessOf(permissions: FieldPermissions | undefined, unlisted: Access, readOnly: boolean) {
  return (name: string): Access => {
    const given = permissions ? (levels[String(permissions[name])] ?? unlisted) : "write";
    return readOnly && given === "write" ? "read" : given;
  };
}

function sentValues(form: FormInstance<FormValues>, inputs: readonly Item[]): FormValues {
  const present = form.getFieldsValue(true) as FormValues;
  return Object.fromEntries(
    inputs.map((item) => {
      const { name, kind } = fieldOf(item);
      const value = present[name];
      return [name, value === undefined || value === "" ? (kind === "table" ? [] : null) : value];
    }),
  );
}

/** Puts the first refused field before the reader and says how many there are. */
function explain(
  form: FormInstance<FormValues>,
  inputs: readonly Item[],
  words: (total: number, names: string) => string,
): string {
  const refused = form.getFieldsError().filter(({ errors }) => errors.length > 0);
  const names = new Set(refused.map(({ name }) => String(name[0])));
  const [first] = refused;
  if (first) form.scrollToField(first.name, { focus: true, block: "center" });
  const labels = inputs.map(fieldOf).filter(({ name }) => names.has(name));
  return words(labels.length, labels.map(({ label, name }) => label || name).join("、"));
}

interface ItemsProps {
  items: readonly Item[];
  start: FormValues;
  accessTo: (name: string) => Access;
  narrow: boolean;
}

const Items = memo(function Items({ items, ...rest }: ItemsProps) {
  return items.map((item) => <OneItem key={item.key} item={item} {...rest} />);
});

function OneItem({ item, ...rest }: Omit<ItemsProps, "items"> & { item: Item }) {
  const field = fieldOf(item);
  const { start, accessTo, narrow } = rest;
  if (!isInput(field.kind)) return <Layout item={item} field={field} {...rest} />;
  // Without a name nothing could be kept of it.
  const access = field.name ? accessTo(field.name) : "read";
  if (access === "hidden") return null;
  if (access === "read") return <ReadItem item={item} field={field} value={start[field.name]} />;
  if (field.kind === "table") {
    return (
      <section className="form-item" aria-label={field.label}>
        <div className="form-label">
          {field.label}
          {field.required || field.min ? <span aria-hidden="true"> *</span> : null}
        </div>
        {field.help ? <div className="form-help">{field.help}</div> : null}
        <FormTable item={item} narrow={narrow} />
      </section>
    );
  }
  return (
    <Form.Item
      name={[field.name]}
      label={field.label || field.name}
      required={field.required}
      extra={field.help}
      rules={[
        {
          validator: async (_, value) => {
            const refused = refusalOf(field, value);
            if (refused) throw new Error(refused);
          },
        },
      ]}
    >
      <FieldControl field={field} />
    </Form.Item>
  );
}

function ReadItem({ item, field, value }: { item: Item; field: FormField; value: unknown }) {
  return (
    <div className="form-item is-read">
      <div className="form-label">{field.label || field.name}</div>
      <div className="form-value">
        <ReadValue item={item} value={value} />
      </div>
    </div>
  );
}

function Layout({ item, field, ...rest }: Omit<ItemsProps, "items"> & { item: Item; field: FormField }) {
  const { t } = useTranslation("workflow");
  switch (field.kind) {
    case "group":
      if (!field.label) return <Items items={item.children} {...rest} />;
      return (
        <fieldset className="form-group">
          <legend>{field.label}</legend>
          <Items items={item.children} {...rest} />
        </fieldset>
      );
    case "divider":
      return field.label ? <h3 className="form-divider">{field.label}</h3> : <hr className="form-rule" />;
    case "description":
      return <SafeHtml className="form-description" html={field.content} />;
    default:
      if (item.literal !== undefined) return null;
      return (
        <Alert
          type="info"
          className="form-item"
          title={t("fill.unsupported", { name: field.label || field.name || field.type, type: field.type })}
        />
      );
  }
}
