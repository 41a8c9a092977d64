import { Checkbox, DatePicker, Flex, Input, InputNumber, Radio, Select, Switch, TimePicker } from "antd";
import { RefSelect } from "@/kernel/crud";
import { useDictOptions } from "@/kernel/dict";
import { FileImage, Upload } from "@/kernel/upload";
import type { Choice, FormField, Option } from "./field";
import { dateFromWire, dateToWire, formatOf, optionOf } from "./values";

/** What a form item hands to the control of a field. */
export interface ControlProps {
  id?: string;
  value?: unknown;
  onChange?: (value: unknown) => void;
  onBlur?: () => void;
  "aria-label"?: string;
}

interface Props extends ControlProps {
  field: FormField;
}

const wide = { width: "100%" } as const;

/** Lists of people and departments everybody signed in may read. */
export const refPaths = {
  user: "/system/user/list-all-simple",
  dept: "/system/dept/list-all-simple",
} as const;

/** The widget that fills in a field; it takes and gives the value as the variable holds it. */
export function FieldControl({ field, value, ...common }: Props) {
  const { onBlur: _blur, ...quiet } = common;
  const { placeholder, maxLength } = field;
  switch (field.kind) {
    case "text":
      return (
        <Input
          {...common}
          value={value as string}
          placeholder={placeholder}
          maxLength={maxLength}
          showCount={!!maxLength}
          onChange={(event) => common.onChange?.(event.target.value)}
        />
      );
    case "textarea":
      return (
        <Input.TextArea
          {...common}
          value={value as string}
          placeholder={placeholder}
          maxLength={maxLength}
          showCount={!!maxLength}
          autoSize={{ minRows: 3, maxRows: 10 }}
          onChange={(event) => common.onChange?.(event.target.value)}
        />
      );
    case "number":
    case "money":
      return (
        <InputNumber
          {...common}
          value={value as number}
          placeholder={placeholder}
          precision={field.precision}
          prefix={field.kind === "money" ? "¥" : undefined}
          style={wide}
        />
      );
    case "switch":
      return (
        <Switch
          {...quiet}
          checked={String(value) === String(field.on)}
          onChange={(on) => common.onChange?.(on ? field.on : field.off)}
        />
      );
    case "date":
    case "dateTime":
    case "dateRange":
    case "time":
      return <DateControl field={field} value={value} {...common} />;
    case "user":
    case "dept":
      return (
        <RefSelect
          {...quiet}
          path={refPaths[field.kind]}
          multiple={field.multiple}
          placeholder={placeholder}
          value={value as number | number[]}
        />
      );
    case "file":
    case "image":
      return <FileControl field={field} value={value} {...quiet} />;
    default:
      return <ChoiceControl field={field} value={value} {...common} />;
  }
}

function DateControl({ field, value, onChange, ...rest }: Props) {
  const { id, "aria-label": label = field.label } = rest;
  const give = (time: Parameters<typeof dateToWire>[0] | null | undefined) =>
    time ? dateToWire(time, field) : null;
  if (field.kind === "time") {
    const seconds = /s/.test(formatOf(field));
    return (
      <TimePicker
        {...rest}
        value={dateFromWire(value, field)}
        format={seconds ? "HH:mm:ss" : "HH:mm"}
        needConfirm={false}
        placeholder={field.placeholder}
        onChange={(time) => onChange?.(give(time))}
        style={wide}
      />
    );
  }
  const withTime = field.kind === "dateTime" || field.withTime;
  const shown = withTime
    ? ({ showTime: { format: "HH:mm" }, format: "YYYY-MM-DD HH:mm" } as const)
    : ({ format: "YYYY-MM-DD" } as const);
  if (field.kind !== "dateRange") {
    return (
      <DatePicker
        {...rest}
        {...shown}
        value={dateFromWire(value, field)}
        placeholder={field.placeholder}
        onChange={(time) => onChange?.(give(time))}
        style={wide}
      />
    );
  }
  const [from, to] = Array.isArray(value) ? value : [];
  return (
    <DatePicker.RangePicker
      {...shown}
      id={id ? { start: id, end: `${id}-end` } : undefined}
      aria-label={label}
      value={[dateFromWire(from, field), dateFromWire(to, field)]}
      onChange={(range) => onChange?.(range ? [give(range[0]), give(range[1])] : null)}
      onBlur={rest.onBlur}
      style={wide}
    />
  );
}

function FileControl({ field, value, onChange, ...rest }: Props) {
  const ids = (Array.isArray(value) ? value : [value]).filter((id) => typeof id === "number");
  return (
    <Flex vertical gap={8}>
      <Upload
        {...rest}
        slot={field.kind === "image" ? "image" : "document"}
        max={field.limit ?? 1}
        value={value as number | number[]}
        onChange={(next) => onChange?.(next)}
      />
      {field.kind === "image" && ids.length > 0 ? <Pictures label={field.label} ids={ids} /> : null}
    </Flex>
  );
}

/** Pictures of a field beside each other. */
export function Pictures({ label, ids }: { label: string; ids: readonly number[] }) {
  return (
    <Flex gap={8} wrap>
      {ids.map((id, index) => (
        <FileImage key={id} id={id} alt={`${label} ${index + 1}`} />
      ))}
    </Flex>
  );
}

/** The choices of a field: its own, or those of its dictionary. */
export function useFieldOptions(field: FormField): Option[] {
  const entries = useDictOptions(field.dict ?? "", field.dictTexts ? "string" : "auto");
  return field.dict ? entries : field.options;
}

function ChoiceControl({ field, value, onChange, ...rest }: Props) {
  const options = useFieldOptions(field);
  const { onBlur: _blur, ...quiet } = rest;
  const label = rest["aria-label"] ?? field.label;
  const known = (one: unknown) => optionOf({ options }, one)?.value ?? (one as Choice);
  const list = Array.isArray(value) ? value.map(known) : [];
  const single = value === undefined || value === null ? undefined : known(value);
  if (field.kind === "checkbox") {
    return (
      <Checkbox.Group
        {...quiet}
        role="group"
        aria-label={label}
        className="form-choices"
        options={options}
        value={list}
        onChange={(next) => onChange?.(next)}
      />
    );
  }
  if (field.kind === "radio") {
    return (
      <Radio.Group
        {...quiet}
        aria-label={label}
        className="form-choices"
        options={options}
        value={single}
        onChange={(event) => onChange?.(event.target.value)}
      />
    );
  }
  return (
    <Select<Choice | Choice[]>
      {...rest}
      allowClear
      showSearch={{ optionFilterProp: "label" }}
      mode={field.multiple ? "multiple" : undefined}
      placeholder={field.placeholder}
      options={options as { value: string; label: string }[]}
      value={field.multiple ? list : single}
      onChange={(next) => onChange?.(next ?? null)}
      style={wide}
    />
  );
}
