import { useQuery } from "@tanstack/react-query";
import { Select } from "antd";
import { get, type PageOf } from "@/kernel/api/client";
import { RefSelect, RefText } from "@/kernel/crud";
import { DictSelect, DictTag, type DictValue } from "@/kernel/dict";
import { EXPRESSION, ruleTypes } from "./ruleTypes";

interface Expression {
  id: number;
  name: string;
  expression: string;
}

/** Expressions have no short list: everybody may read those, the texts are for designers. */
function useExpressions(enabled = true) {
  return useQuery({
    queryKey: ["/bpm/process-expression", "enabled"],
    queryFn: ({ signal }) =>
      get<PageOf<Expression>>(
        "/bpm/process-expression/page",
        { status: 0, pageSize: 500 },
        { silent: true, signal },
      ),
    staleTime: 60_000,
    retry: false,
    enabled,
  });
}

interface Props {
  type: number;
  value: number[];
  onChange: (value: number[]) => void;
  label: string;
}

/** Chooses whom a rule names: roles, departments, posts, users, groups, scripts, expressions. */
export function RuleOptions({ type, value, onChange, label }: Props) {
  const expressions = useExpressions(type === EXPRESSION);
  const { path, dict } = ruleTypes.find((known) => known.value === type) ?? {};
  if (type === EXPRESSION) {
    return (
      <Select<number[]>
        mode="multiple"
        aria-label={label}
        value={value}
        onChange={onChange}
        loading={expressions.isFetching}
        showSearch={{ optionFilterProp: "label" }}
        options={(expressions.data?.list ?? []).map((row) => ({
          value: row.id,
          label: `${row.name} ${row.expression}`,
        }))}
        style={{ width: "100%" }}
      />
    );
  }
  if (dict) {
    return (
      <DictSelect
        type={dict}
        multiple
        aria-label={label}
        value={value as DictValue[]}
        onChange={(next) => onChange((next as DictValue[] | undefined)?.map(Number) ?? [])}
        style={{ width: "100%" }}
      />
    );
  }
  if (!path) return null;
  return (
    <RefSelect
      path={path}
      multiple
      aria-label={label}
      value={value}
      onChange={(next) => onChange(Array.isArray(next) ? next : [])}
    />
  );
}

/** The names of what a rule chose. */
export function RuleOptionsText({ type, value }: { type: number; value: number[] }) {
  const expressions = useExpressions(type === EXPRESSION);
  const { path, dict } = ruleTypes.find((known) => known.value === type) ?? {};
  if (type === EXPRESSION) {
    const names = value.map((id) => expressions.data?.list.find((row) => row.id === id)?.name ?? String(id));
    return <>{names.join("、")}</>;
  }
  if (dict) return value.map((item) => <DictTag key={item} type={dict} value={item} />);
  return path ? <RefText path={path} value={value} /> : null;
}
