import { DownOutlined, UpOutlined } from "@ant-design/icons";
import { Button, Flex } from "antd";
import { type FormEvent, useEffect, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useMobile } from "@/kernel/ui/useMobile";
import { type Field, labelOf } from "./entity";
import { FilterInput } from "./FilterInput";
import type { Filters, FilterValue } from "./listState";
import "./crud.css";

const SHOWN = 3;
const SHOWN_ON_PHONE = 1;
const DEBOUNCE = 200;

interface Props {
  fields: Field[];
  value: Filters;
  onChange: (filters: Filters) => void;
}

/**
 * The filter bar: three filters, the rest behind 更多筛选. Changes are applied 200 ms after the last
 * key; Enter, 查询 and leaving a field apply at once.
 */
export function SearchForm({ fields, value, onChange }: Props) {
  const { t } = useTranslation("kernel");
  const base = useId();
  const shown = useMobile() ? SHOWN_ON_PHONE : SHOWN;
  const [draft, setDraft] = useState(value);
  const [open, setOpen] = useState(() => fields.slice(shown).some((field) => value[field.name]));
  const form = useRef<HTMLFormElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const waiting = useRef<Filters>(undefined);
  const applied = JSON.stringify(value);

  useEffect(() => {
    setDraft(JSON.parse(applied) as Filters);
  }, [applied]);
  useEffect(() => () => clearTimeout(timer.current), []);

  const flush = () => {
    const filters = waiting.current;
    waiting.current = undefined;
    clearTimeout(timer.current);
    // A page that was left meanwhile must not change the address of the one that is shown.
    if (filters && !form.current?.closest("[hidden]")) onChange(filters);
  };
  const apply = (filters: Filters) => {
    waiting.current = filters;
    flush();
  };
  const change = (name: string, next: FilterValue | undefined) => {
    const filters = { ...draft };
    if (next === undefined) delete filters[name];
    else filters[name] = next;
    setDraft(filters);
    waiting.current = filters;
    clearTimeout(timer.current);
    timer.current = setTimeout(flush, DEBOUNCE);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    apply(draft);
  };

  if (fields.length === 0) return null;
  const visible = open ? fields : fields.slice(0, shown);
  return (
    <search>
      <form
        ref={form}
        className="viva-search"
        aria-label={t("list.filters")}
        onSubmit={submit}
        onBlur={flush}
      >
        {visible.map((field) => (
          <div key={field.name} className="viva-search-item">
            <label htmlFor={`${base}-${field.name}`}>{labelOf(field)}</label>
            <FilterInput
              field={field}
              id={`${base}-${field.name}`}
              value={draft[field.name]}
              onChange={(next) => change(field.name, next)}
            />
          </div>
        ))}
        <Flex gap={8} align="end">
          <Button htmlType="submit">{t("action.search")}</Button>
          <Button onClick={() => apply({})}>{t("action.reset")}</Button>
          {fields.length > shown ? (
            <Button
              type="link"
              aria-expanded={open}
              icon={open ? <UpOutlined /> : <DownOutlined />}
              onClick={() => setOpen(!open)}
            >
              {t(open ? "list.lessFilters" : "list.moreFilters")}
            </Button>
          ) : null}
        </Flex>
      </form>
    </search>
  );
}
