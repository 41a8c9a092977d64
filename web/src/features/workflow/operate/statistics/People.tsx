import { useTranslation } from "@/kernel/i18n";
import { EmptyState, TimeText } from "@/kernel/ui";
import { durationText, personText } from "../../instance/duration";
import type { Person } from "../../instance/wire";
import { Bars, Figure, Legend } from "./Figure";
import type { Load, PersonFigures } from "./wire";

/** A chart of more would not be read; the table holds all. */
const SHOWN = 15;

const keyOf = (user: Person | null, at: number) => String(user?.id ?? `gone-${at}`);

/** What waits for whom; the second part waits longer than three days. */
export function PersonalLoad({ people }: { people: Load[] }) {
  const { t } = useTranslation("workflow");
  if (people.length === 0) return <EmptyState title={t("statistics.noOpen")} />;
  const caption = t("statistics.loadCaption");
  const chart = (
    <>
      <Legend names={[t("statistics.recent"), t("statistics.longWait")]} />
      <Bars
        bars={people.slice(0, SHOWN).map((load, at) => ({
          key: keyOf(load.user, at),
          name: personText(load.user),
          parts: [load.tasks - load.longWait, load.longWait],
          text: load.longWait > 0 ? `${load.tasks}（${load.longWait}）` : String(load.tasks),
        }))}
      />
    </>
  );
  const table = {
    caption,
    columns: [
      t("statistics.person"),
      t("statistics.open"),
      t("statistics.longWait"),
      t("statistics.overdue"),
      t("statistics.oldest"),
    ],
    rows: people.map((load, at) => ({
      key: keyOf(load.user, at),
      cells: [
        personText(load.user),
        load.tasks,
        load.longWait,
        load.overdue,
        <TimeText key="oldest" value={load.oldest} />,
      ],
    })),
  };
  return <Figure title={t("statistics.load")} chart={chart} table={table} />;
}

/** Who decided how much in the period. */
export function Decided({ people }: { people: PersonFigures[] }) {
  const { t } = useTranslation("workflow");
  if (people.length === 0) return null;
  const caption = t("statistics.peopleCaption");
  const chart = (
    <Bars
      bars={people.slice(0, SHOWN).map((person, at) => ({
        key: keyOf(person.user, at),
        name: personText(person.user),
        parts: [person.tasks],
        text: String(person.tasks),
      }))}
    />
  );
  const table = {
    caption,
    columns: [t("statistics.person"), t("statistics.tasks"), t("statistics.late"), t("statistics.mean")],
    rows: people.map((person, at) => ({
      key: keyOf(person.user, at),
      cells: [personText(person.user), person.tasks, person.late, durationText(person.mean)],
    })),
  };
  return <Figure title={t("statistics.people")} chart={chart} table={table} />;
}
