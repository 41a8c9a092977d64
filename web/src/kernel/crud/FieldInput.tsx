import { DatePicker, Input, InputNumber, Select, Switch } from "antd";
import type { Dayjs } from "dayjs";
import { DictSelect, type DictValue } from "@/kernel/dict";
import { RichText } from "@/kernel/html";
import { Upload } from "@/kernel/upload";
import { type Field, labelOf } from "./entity";
import { RefSelect } from "./RefSelect";

/** What a form item hands to its control. */
export interface ControlProps {
  id?: string;
  value?: unknown;
  onChange?: (value: unknown) => void;
  onBlur?: () => void;
}

interface Props extends ControlProps {
  field: Field;
  disabled?: boolean;
}

const wide = { width: "100%" } as const;

/** The widget that edits a field of this kind. */
export function FieldInput({ field, value, ...common }: Props) {
  const { onBlur: _blur, ...quiet } = common;
  switch (field.kind) {
    case "longtext":
      return (
        <Input.TextArea
          {...common}
          value={value as string}
          autoSize={{ minRows: 3, maxRows: 8 }}
          showCount={!!field.max}
          maxLength={field.max}
        />
      );
    case "int":
      return <InputNumber {...common} value={value as number} precision={0} style={wide} />;
    case "money":
      return (
        <InputNumber {...common} value={value as number} precision={2} step={0.01} prefix="¥" style={wide} />
      );
    case "bool":
      return <Switch {...quiet} checked={value === true} />;
    case "date":
      return <DatePicker {...common} value={value as Dayjs} style={wide} />;
    case "time":
      return (
        <DatePicker
          {...common}
          value={value as Dayjs}
          showTime={{ format: "HH:mm" }}
          format="YYYY-MM-DD HH:mm"
          style={wide}
        />
      );
    case "dict":
      return <DictSelect {...quiet} type={field.dict ?? ""} value={value as DictValue} style={wide} />;
    case "ref":
      return <RefSelect {...quiet} path={field.ref} value={value as number} />;
    case "refs":
      return <RefSelect {...quiet} path={field.ref} multiple value={value as number[]} />;
    case "names":
      return (
        <Select
          {...quiet}
          mode="tags"
          open={false}
          suffixIcon={null}
          value={value as string[]}
          style={wide}
        />
      );
    case "file":
      return <Upload {...quiet} slot="document" value={value as number} />;
    case "files":
      return <Upload {...quiet} slot="document" max={field.max ?? 9} value={value as number[]} />;
    case "richtext":
      return <RichText {...common} value={value as string} label={labelOf(field)} />;
    default:
      return (
        <Input
          {...common}
          value={value as string}
          showCount={!!field.max && field.max <= 500}
          maxLength={field.max}
        />
      );
  }
}
