import { ArrowDownOutlined, ArrowUpOutlined, DeleteOutlined, PlusOutlined } from "@ant-design/icons";
import { useQuery } from "@tanstack/react-query";
import { Button, Flex, Input, Segmented, Select } from "antd";
import { useId, useState } from "react";
import { get } from "@/kernel/api/client";
import { useTranslation } from "@/kernel/i18n";
import type { FieldChange, FormField, Option } from "./field";

interface Props {
  field: FormField;
  onChange: (change: FieldChange) => void;
}

/** Where the choices of a field come from: written here, or a dictionary of the system. */
export function OptionsEditor({ field, onChange }: Props) {
  const { t } = useTranslation("workflow");
  // Between the wish for a dictionary and its choice the options stay.
  const [wanted, setWanted] = useState(false);
  const source = field.dict !== undefined || wanted ? "dict" : "own";
  const take = (next: string) => {
    setWanted(next === "dict");
    if (next === "own" && field.dict !== undefined) onChange({ dict: undefined, initial: undefined });
  };
  return (
    <Flex vertical gap={8}>
      <div>{t("builder.prop.source")}</div>
      <Segmented
        aria-label={t("builder.prop.source")}
        block
        value={source}
        options={[
          { value: "own", label: t("builder.prop.own") },
          { value: "dict", label: t("builder.prop.dict") },
        ]}
        onChange={take}
      />
      {source === "own" ? (
        <OwnOptions options={field.options} onChange={(options) => onChange({ options })} />
      ) : (
        <DictTypes value={field.dict ?? ""} onChange={(dict) => onChange({ dict, initial: undefined })} />
      )}
    </Flex>
  );
}

interface DictType {
  type: string;
  name: string;
}

function DictTypes({ value, onChange }: { value: string; onChange: (type: string) => void }) {
  const { t } = useTranslation("workflow");
  const id = useId();
  const { data = [], isFetching } = useQuery({
    queryKey: ["ref", "/system/dict-type/list-all-simple"],
    queryFn: ({ signal }) =>
      get<DictType[]>("/system/dict-type/list-all-simple", undefined, { silent: true, signal }),
    staleTime: 60_000,
    retry: false,
  });
  return (
    <div className="builder-prop">
      <label htmlFor={id}>{t("builder.prop.dictType")}</label>
      <Select
        id={id}
        showSearch={{ optionFilterProp: "label" }}
        loading={isFetching}
        value={value || undefined}
        options={data.map(({ type, name }) => ({ value: type, label: `${name}（${type}）` }))}
        onChange={onChange}
        style={{ width: "100%" }}
      />
    </div>
  );
}

function OwnOptions({ options, onChange }: { options: Option[]; onChange: (options: Option[]) => void }) {
  const { t } = useTranslation("workflow");
  const change = (index: number, part: Partial<Option>) =>
    onChange(options.map((option, at) => (at === index ? { ...option, ...part } : option)));
  const swap = (index: number, other: number) => {
    const moved = options[index];
    if (moved) onChange(options.toSpliced(index, 1).toSpliced(other, 0, moved));
  };
  const add = () => {
    const taken = new Set(options.map((option) => String(option.value)));
    let n = options.length + 1;
    while (taken.has(String(n))) n++;
    onChange([...options, { value: String(n), label: t("builder.option", { n }) }]);
  };
  return (
    <Flex vertical gap={8}>
      {options.map((option, index) => (
        <OneOption
          // biome-ignore lint/suspicious/noArrayIndexKey: while its value is being typed an option has no other name
          key={index}
          n={index + 1}
          option={option}
          last={index === options.length - 1}
          onChange={(part) => change(index, part)}
          onMove={(by) => swap(index, index + by)}
          onRemove={() => onChange(options.toSpliced(index, 1))}
        />
      ))}
      <Button icon={<PlusOutlined aria-hidden />} onClick={add}>
        {t("builder.prop.optionAdd")}
      </Button>
    </Flex>
  );
}

interface OneProps {
  n: number;
  option: Option;
  last: boolean;
  onChange: (part: Partial<Option>) => void;
  onMove: (by: number) => void;
  onRemove: () => void;
}

function OneOption({ n, option, last, onChange, onMove, onRemove }: OneProps) {
  const { t } = useTranslation("workflow");
  const common = { type: "text", size: "small" } as const;
  return (
    <Flex gap={4} align="center">
      <Input
        aria-label={t("builder.prop.optionLabel", { n })}
        value={option.label}
        onChange={(event) => onChange({ label: event.target.value })}
      />
      <Input
        aria-label={t("builder.prop.optionValue", { n })}
        value={String(option.value)}
        style={{ width: 64, flex: "none" }}
        onChange={(event) => onChange({ value: typed(event.target.value, option.value) })}
      />
      <Button
        {...common}
        icon={<ArrowUpOutlined />}
        disabled={n === 1}
        aria-label={t("builder.prop.optionUp", { n })}
        onClick={() => onMove(-1)}
      />
      <Button
        {...common}
        icon={<ArrowDownOutlined />}
        disabled={last}
        aria-label={t("builder.prop.optionDown", { n })}
        onClick={() => onMove(1)}
      />
      <Button
        {...common}
        danger
        icon={<DeleteOutlined />}
        aria-label={t("builder.prop.optionRemove", { n })}
        onClick={onRemove}
      />
    </Flex>
  );
}

/** An option that was a number stays one as long as a number is typed. */
function typed(text: string, before: Option["value"]): Option["value"] {
  return typeof before === "number" && /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
}
