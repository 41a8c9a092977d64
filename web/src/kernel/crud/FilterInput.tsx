import { Flex, Input, Select } from "antd";
import { lazy, Suspense } from "react";
import { useTranslation } from "react-i18next";
import { DictSelect } from "@/kernel/dict";
import { type Field, labelOf } from "./entity";
import type { FilterValue } from "./listState";
import { RefSelect } from "./RefSelect";

const DateRange = lazy(() => import("./DateRange").then((part) => ({ default: part.DateRange })));

interface Props {
  field: Field;
  id: string;
  value: FilterValue | undefined;
  onChange: (value: FilterValue | undefined) => void;
}

/** The widget of one filter; values stay strings because they live in the address. */
export function FilterInput({ field, id, value, onChange }: Props) {
  const { t } = useTranslation("kernel");
  if (field.filter === "range") return <RangeInput field={field} id={id} value={value} onChange={onChange} />;
  const text = Array.isArray(value) ? undefined : value;
  const give = (next: unknown) =>
    onChange(next === undefined || next === null || next === "" ? undefined : String(next));
  const label = labelOf(field);
  switch (field.kind) {
    case "dict":
      return (
        <DictSelect
          id={id}
          aria-label={label}
          type={field.dict ?? ""}
          as="string"
          value={text}
          onChange={give}
          style={{ width: "100%" }}
        />
      );
    case "bool":
      return (
        <Select
          id={id}
          aria-label={label}
          allowClear
          value={text}
          onChange={give}
          options={[
            { value: "true", label: t("action.yes") },
            { value: "false", label: t("action.no") },
          ]}
          style={{ width: "100%" }}
        />
      );
    case "ref":
    case "refs":
      return (
        <RefSelect
          id={id}
          aria-label={label}
          path={field.ref}
          value={text ? Number(text) : undefined}
          onChange={give}
        />
      );
    case "int":
      return <NumberText id={id} label={label} value={text ?? ""} onChange={give} />;
    default:
      return (
        <Input
          id={id}
          aria-label={label}
          allowClear
          value={text ?? ""}
          onChange={(event) => give(event.target.value)}
        />
      );
  }
}

function RangeInput({ field, id, value, onChange }: Props) {
  const { t } = useTranslation("kernel");
  const [from, to] = Array.isArray(value) ? value : ["", ""];
  const give = (start: string, end: string) => onChange(start || end ? [start, end] : undefined);
  if (field.kind === "date" || field.kind === "time") {
    return (
      <Suspense fallback={<Input disabled aria-label={labelOf(field)} />}>
        <DateRange id={id} label={labelOf(field)} from={from} to={to} onChange={give} />
      </Suspense>
    );
  }
  const label = labelOf(field);
  return (
    <Flex gap={4} align="center">
      <NumberText
        id={id}
        label={`${label} ${t("list.from")}`}
        value={from}
        onChange={(next) => give(next, to)}
      />
      –
      <NumberText label={`${label} ${t("list.to")}`} value={to} onChange={(next) => give(from, next)} />
    </Flex>
  );
}

interface NumberProps {
  id?: string;
  label: string;
  value: string;
  onChange: (value: string) => void;
}

/** A number as text: a filter needs no steppers, and a half typed number is no filter. */
function NumberText({ id, label, value, onChange }: NumberProps) {
  return (
    <Input
      id={id}
      aria-label={label}
      inputMode="decimal"
      allowClear
      value={value}
      onChange={(event) => {
        const next = event.target.value.trim();
        if (/^-?\d*\.?\d*$/.test(next)) onChange(next);
      }}
    />
  );
}
