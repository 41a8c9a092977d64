import { Flex, Tag } from "antd";
import { t } from "@/kernel/i18n";
import { TimeText } from "@/kernel/ui";
import type { SummaryItem } from "./wire";
import "./process.css";

/** The fields that stand for an instance, one a line. */
export function Summary({ items }: { items: readonly SummaryItem[] }) {
  if (items.length === 0) return null;
  return (
    <ul className="pr-summary">
      {items.map((item) => (
        <li key={item.key}>
          <span className="pr-quiet">{item.key}</span> {item.value || "—"}
        </li>
      ))}
    </ul>
  );
}

/** A name with the mark of what stands still. */
export function ProcessName({ name, number, suspended }: NameProps) {
  return (
    <>
      {suspended ? (
        <Flex gap={4} align="center">
          {name} <Tag color="warning">{t("workflow:process.suspended")}</Tag>
        </Flex>
      ) : (
        name
      )}
      <ProcessNumber number={number} />
    </>
  );
}

interface NameProps {
  name: string;
  number: string;
  suspended: boolean;
}

/** The number under a name; nothing where the process has none. */
export function ProcessNumber({ number }: { number: string | undefined }) {
  return number ? <div className="pr-quiet">{number}</div> : null;
}

const WEEK = 7 * 24 * 3_600_000;

/** How long a task waits; a week and more is marked. */
export function Waiting({ since }: { since: number }) {
  return (
    <span className={Date.now() - since > WEEK ? "pr-late" : undefined}>
      <TimeText value={since} relative />
    </span>
  );
}
