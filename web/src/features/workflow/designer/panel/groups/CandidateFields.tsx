import { Form, Select } from "antd";
import { useId } from "react";
import { useTranslation } from "@/kernel/i18n";
import { candidateChanges, candidateOf, strategies, type Takes } from "../kit/approval";
import { apply } from "../kit/change";
import { SelectField } from "../kit/fields";
import { IdsField } from "../kit/IdsField";
import { NumberField } from "../kit/NumberField";
import { useScope } from "../kit/scope";
import { TextField } from "../kit/TextField";
import { useExpressions } from "../kit/useExpressions";
import { useFormFields } from "../kit/useFormFields";
import { useHandlers } from "../kit/useHandlers";

/** The strategy that finds who decides, and what it needs to know. */
export function CandidateFields() {
  const { t } = useTranslation("panel");
  const scope = useScope();
  const rules = useHandlers().filter(({ kind }) => kind === "rule");
  const { strategy, param } = candidateOf(scope);
  const known = strategies.find(({ code }) => code === strategy);
  const takes: Takes = known?.takes ?? (strategy === "" ? "none" : "free");
  const write = (next: string) => apply(scope, candidateChanges(scope, strategy, next));
  const first = (next: string): string => {
    const kind = strategies.find(({ code }) => code === next)?.takes;
    return kind === "level" ? "1" : "";
  };
  return (
    <>
      <SelectField
        label={t("approval.strategyTitle")}
        help={strategy === "" ? t("approval.noStrategy") : undefined}
        value={strategy}
        options={[
          { value: "", label: t("approval.byRules") },
          ...strategies.map(({ code }) => ({ value: code, label: t(`approval.strategy.${code}`) })),
          ...rules.map(({ name, title }) => ({ value: name, label: title })),
        ]}
        onChange={(next) => apply(scope, candidateChanges(scope, next, first(next)))}
      />
      <Param key={strategy} takes={takes} path={known?.path ?? ""} value={param} onChange={write} />
    </>
  );
}

interface ParamProps {
  takes: Takes;
  path: string;
  value: string;
  onChange: (value: string) => void;
}

/** What stands before and after the bar of ids|level and field|level. */
function halves(value: string): [string, number] {
  const [first = "", level = ""] = value.split("|");
  return [first, Number(level) || 1];
}

function Param({ takes, path, value, onChange }: ParamProps) {
  const { t } = useTranslation("panel");
  const label = t(`approval.param.${takes}`);
  const [first, level] = halves(value);
  const levels = (now: number, write: (next: number) => void) => (
    <NumberField label={t("approval.param.level")} value={now} min={1} max={20} onCommit={write} />
  );
  switch (takes) {
    case "ids":
      return <IdsField label={label} path={path} value={value} onChange={onChange} />;
    case "idsLevel":
      return (
        <>
          <IdsField
            label={label}
            path={path}
            value={first}
            onChange={(next) => onChange(`${next}|${level}`)}
          />
          {levels(level, (next) => onChange(`${first}|${next}`))}
        </>
      );
    case "level":
      return levels(Number(value) || 1, (next) => onChange(String(next)));
    case "field":
      return <FieldParam label={label} value={value} onChange={onChange} />;
    case "fieldLevel":
      return (
        <>
          <FieldParam label={label} value={first} onChange={(next) => onChange(`${next}|${level}`)} />
          {levels(level, (next) => onChange(`${first}|${next}`))}
        </>
      );
    case "expression":
      return <ExpressionParam label={label} value={value} onChange={onChange} />;
    case "free":
      return <TextField label={label} value={value} onCommit={onChange} />;
    default:
      return null;
  }
}

interface PartProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
}

/** A field of the forms around the task; any name when they cannot be read. */
function FieldParam({ label, value, onChange }: PartProps) {
  const { t } = useTranslation("panel");
  const fields = useFormFields(useScope());
  if (fields.length === 0)
    return <TextField label={label} help={t("approval.noFields")} value={value} onCommit={onChange} />;
  return (
    <SelectField
      label={label}
      value={value}
      options={fields.map((field) => ({ value: field.id, label: `${field.label} · ${field.id}` }))}
      onChange={onChange}
    />
  );
}

/** An expression, typed or taken from those an administrator keeps. */
function ExpressionParam({ label, value, onChange }: PartProps) {
  const { t } = useTranslation("panel");
  const id = useId();
  const stored = useExpressions();
  return (
    <>
      {stored.length > 0 ? (
        <Form.Item label={t("approval.storedExpression")} htmlFor={id}>
          <Select
            id={id}
            value={stored.some(({ expression }) => expression === value) ? value : undefined}
            placeholder={t("handler.choose")}
            showSearch={{ optionFilterProp: "label" }}
            onChange={onChange}
            options={stored.map(({ name, expression }) => ({
              value: expression,
              label: `${name} · ${expression}`,
            }))}
          />
        </Form.Item>
      ) : null}
      <TextField label={label} value={value} expression="must" onCommit={(next) => onChange(next.trim())} />
    </>
  );
}
