import { type ReactNode, useId } from "react";

interface Props {
  title: string;
  /** A link or button beside the title. */
  more?: ReactNode;
  children: ReactNode;
}

/** A titled part of a page. */
export function Section({ title, more, children }: Props) {
  const id = useId();
  return (
    <section className="th-card" aria-labelledby={id}>
      <div className="th-card-head">
        <h2 id={id}>{title}</h2>
        {more}
      </div>
      {children}
    </section>
  );
}
