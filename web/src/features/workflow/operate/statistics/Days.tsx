import { useTranslation } from "@/kernel/i18n";
import { Figure, Legend } from "./Figure";
import { type DayFigures, ended } from "./wire";

const HEIGHT = 140;
const SLOT = 20;

/** How many instances began and ended on each day. */
export function Days({ days }: { days: DayFigures[] }) {
  const { t } = useTranslation("workflow");
  const caption = t("statistics.daysCaption");
  const table = {
    caption,
    columns: [
      t("statistics.day"),
      t("statistics.started"),
      t("statistics.approved"),
      t("statistics.rejected"),
      t("statistics.cancelled"),
    ],
    rows: days.toReversed().map((day) => ({
      key: day.day,
      cells: [day.day, day.started, day.approved, day.rejected, day.cancelled],
    })),
  };
  return <Figure title={t("statistics.days")} chart={<DayColumns days={days} />} table={table} />;
}

function DayColumns({ days }: { days: DayFigures[] }) {
  const { t } = useTranslation("workflow");
  const most = Math.max(1, ...days.map((day) => Math.max(day.started, ended(day))));
  const tall = (n: number) => (n / most) * HEIGHT;
  const width = days.length * SLOT;
  const every = Math.ceil(days.length / 10);
  return (
    <>
      <Legend names={[t("statistics.started"), t("statistics.finished")]} />
      <svg
        className="st-days"
        viewBox={`0 0 ${width} ${HEIGHT + 38}`}
        style={{ maxWidth: Math.max(width * 1.6, 320) }}
        role="presentation"
      >
        <text x={0} y={11}>
          {most}
        </text>
        <line x1={0} x2={width} y1={HEIGHT + 16} y2={HEIGHT + 16} />
        {days.map((day, at) => (
          <g key={day.day}>
            <title>{t("statistics.oneDay", { day: day.day, started: day.started, ended: ended(day) })}</title>
            <rect
              className="st-part-0"
              x={at * SLOT + 2}
              width={SLOT / 2 - 2}
              y={HEIGHT + 16 - tall(day.started)}
              height={tall(day.started)}
            />
            <rect
              className="st-part-1"
              x={at * SLOT + SLOT / 2}
              width={SLOT / 2 - 2}
              y={HEIGHT + 16 - tall(ended(day))}
              height={tall(ended(day))}
            />
            {at % every === 0 ? (
              <text x={at * SLOT} y={HEIGHT + 32}>
                {day.day.slice(5)}
              </text>
            ) : null}
          </g>
        ))}
      </svg>
    </>
  );
}
