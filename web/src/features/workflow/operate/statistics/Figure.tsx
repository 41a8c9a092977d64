import { Segmented } from "antd";
import { type ReactNode, useId, useState } from "react";
import { useTranslation } from "@/kernel/i18n";

interface Props {
  title: string;
  chart: ReactNode;
  table: TableProps;
}

/**
 * A figure as a picture or as a table. While the picture shows, the table is still there to be
 * read out and stands on paper.
 */
export function Figure({ title, chart, table }: Props) {
  const { t } = useTranslation("workflow");
  const [view, setView] = useState<"chart" | "table">("chart");
  const id = useId();
  return (
    <section className="st-figure" aria-labelledby={id}>
      <header>
        <h3 id={id}>{title}</h3>
        <Segmented
          className="st-screen"
          size="small"
          aria-label={t("statistics.view", { name: title })}
          value={view}
          onChange={setView}
          options={[
            { value: "chart", label: t("statistics.chart") },
            { value: "table", label: t("statistics.table") },
          ]}
        />
      </header>
      {view === "chart" ? (
        <>
          <div aria-hidden="true">{chart}</div>
          <div className="st-paper">
            <FigureTable {...table} />
          </div>
        </>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable by keyboard
        <section className="st-scroll" aria-label={table.caption} tabIndex={0}>
          <FigureTable {...table} />
        </section>
      )}
    </section>
  );
}

interface TableProps {
  caption: string;
  /** The first is the name of the line. */
  columns: string[];
  rows: { key: string; cells: ReactNode[] }[];
}

function FigureTable({ caption, columns, rows }: TableProps) {
  return (
    <table className="st-table">
      <caption className="st-hidden">{caption}</caption>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column} scope="col">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.key}>
            <th scope="row">{row.cells[0]}</th>
            {row.cells.slice(1).map((cell, at) => (
              <td key={columns[at + 1]}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface Bar {
  key: string;
  name: ReactNode;
  /** The lengths of the parts, the first darkest. */
  parts: number[];
  text: string;
}

/** Bars from zero, each labelled with its figures. */
export function Bars({ bars }: { bars: Bar[] }) {
  const most = Math.max(1, ...bars.map((bar) => bar.parts.reduce((sum, part) => sum + part, 0)));
  return (
    <table className="st-bars">
      <tbody>
        {bars.map((bar) => (
          <tr key={bar.key}>
            <th scope="row">{bar.name}</th>
            <td>
              <span className="st-bar">
                <span className="st-fill" aria-hidden="true">
                  {bar.parts.map((part, at) => (
                    <i
                      // biome-ignore lint/suspicious/noArrayIndexKey: the place of a part is what it is
                      key={at}
                      className={`st-part-${at}`}
                      style={{ width: `${(part / most) * 100}%` }}
                    />
                  ))}
                </span>
                <span>{bar.text}</span>
              </span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** What the parts of the bars mean. */
export function Legend({ names }: { names: string[] }) {
  return (
    <ul className="st-legend">
      {names.map((name, at) => (
        <li key={name}>
          <i className={`st-part-${at}`} />
          {name}
        </li>
      ))}
    </ul>
  );
}
