import { Checkbox, Flex, Input, Select, Tag } from "antd";
import { useTranslation } from "@/kernel/i18n";
import { WaitingText } from "../shared/DueText";
import type { Todo } from "../shared/subjectWire";
import type { TodoFilter } from "./calls";

interface Props {
  rows: Todo[];
  current: number;
  selected: number[];
  onOpen: (id: number) => void;
  onSelect: (ids: number[]) => void;
}

/** What waits, the oldest first; one is open, several may be ticked. */
export function Queue({ rows, current, selected, onOpen, onSelect }: Props) {
  const { t } = useTranslation("thesis");
  const now = Date.now();
  return (
    <ul className="th-list" aria-label={t("todo.list")}>
      {rows.map((row) => (
        <li key={row.id}>
          <Flex gap={8} align="start">
            <Checkbox
              style={{ marginTop: 12 }}
              aria-label={t("todo.select", { name: row.studentName })}
              checked={selected.includes(row.id)}
              onChange={(event) =>
                onSelect(
                  event.target.checked ? [...selected, row.id] : selected.filter((id) => id !== row.id),
                )
              }
            />
            <button
              type="button"
              className={`th-item${row.id === current ? " is-chosen" : ""}`}
              aria-current={row.id === current ? "true" : undefined}
              onClick={() => onOpen(row.id)}
            >
              <span className="th-item-title">{row.newTitleZh || row.titleZh}</span>
              <span className="th-item-meta">
                <span>
                  {row.studentName} · {row.deptName}
                </span>
                {row.newTitleZh ? <Tag color="warning">{t("decide.isChange")}</Tag> : null}
                <span>{t(`level.${row.level}`)}</span>
                <WaitingText since={row.waitingSince} now={now} />
              </span>
            </button>
          </Flex>
        </li>
      ))}
    </ul>
  );
}

interface FilterProps {
  value: TodoFilter;
  onChange: (filter: TodoFilter) => void;
}

export function QueueFilter({ value, onChange }: FilterProps) {
  const { t } = useTranslation("thesis");
  return (
    <Flex gap={8} role="search">
      <Input
        allowClear
        aria-label={t("todo.search")}
        placeholder={t("todo.search")}
        value={value.keyword}
        onChange={(event) => onChange({ ...value, keyword: event.target.value })}
      />
      <Select<number>
        aria-label={t("todo.level")}
        value={value.level}
        style={{ width: 130 }}
        onChange={(level) => onChange({ ...value, level })}
        options={[0, 1, 2, 3].map((level) => ({
          value: level,
          label: level === 0 ? t("todo.allLevels") : t(`level.${level}`),
        }))}
      />
    </Flex>
  );
}
