import type { KeyboardEvent, PointerEvent, ThHTMLAttributes } from "react";

export interface ResizeProps extends ThHTMLAttributes<HTMLTableCellElement> {
  /** Name of the column for the handle; without it the column keeps its width. */
  resizeLabel?: string;
  onResized?: (width: number) => void;
}

const MIN = 60;
const STEP = 16;

/** A header cell whose edge can be dragged, or moved with the arrow keys. */
export function ResizableHeader({ resizeLabel, onResized, children, ...cell }: ResizeProps) {
  if (!onResized) return <th {...cell}>{children}</th>;
  const widthOf = (element: Element) => element.closest("th")?.getBoundingClientRect().width ?? MIN;

  const drag = (event: PointerEvent<HTMLElement>) => {
    event.preventDefault();
    event.stopPropagation();
    const handle = event.currentTarget;
    const start = event.clientX;
    const width = widthOf(handle);
    let last = width;
    handle.setPointerCapture(event.pointerId);
    const move = (moved: globalThis.PointerEvent) => {
      last = Math.max(MIN, Math.round(width + moved.clientX - start));
    };
    const end = () => {
      handle.removeEventListener("pointermove", move);
      if (last !== width) onResized(last);
    };
    handle.addEventListener("pointermove", move);
    handle.addEventListener("pointerup", end, { once: true });
    handle.addEventListener("pointercancel", end, { once: true });
  };
  const press = (event: KeyboardEvent<HTMLElement>) => {
    const step = event.key === "ArrowRight" ? STEP : event.key === "ArrowLeft" ? -STEP : 0;
    if (step === 0) return;
    event.preventDefault();
    event.stopPropagation();
    onResized(Math.max(MIN, Math.round(widthOf(event.currentTarget) + step)));
  };

  return (
    <th {...cell}>
      {children}
      <button
        type="button"
        className="viva-resize"
        aria-label={resizeLabel}
        onPointerDown={drag}
        onKeyDown={press}
        onClick={(event) => event.stopPropagation()}
      />
    </th>
  );
}
