import { type KeyboardEvent, type PointerEvent, useState } from "react";
import { useTranslation } from "@/kernel/i18n";

const KEY = "designer-panel-width";
const STANDARD = 480;
const LEAST = 320;
const MOST = 900;
const STEP = 24;

const bounded = (width: number) => Math.round(Math.min(MOST, Math.max(LEAST, width)));

/** The width of the panel, remembered in the browser. */
export function usePanelWidth() {
  const [width, setWidth] = useState(() => bounded(Number(localStorage.getItem(KEY)) || STANDARD));
  const resize = (next: number) => {
    setWidth(bounded(next));
    localStorage.setItem(KEY, String(bounded(next)));
  };
  return { width, resize };
}

interface Props {
  width: number;
  onResize: (width: number) => void;
}

/** The edge that is dragged, or moved with the arrow keys; a double click sets the standard width. */
export function Resizer({ width, onResize }: Props) {
  const { t } = useTranslation("panel");
  const move = (event: PointerEvent<HTMLHRElement>) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const right = event.currentTarget.parentElement?.getBoundingClientRect().right ?? 0;
    onResize(right - event.clientX);
  };
  const key = (event: KeyboardEvent) => {
    const by = { ArrowLeft: STEP, ArrowRight: -STEP }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    onResize(width + by);
  };
  return (
    <hr
      className="panel-resizer"
      aria-orientation="vertical"
      aria-label={t("panel.resize")}
      aria-valuenow={width}
      aria-valuemin={LEAST}
      aria-valuemax={MOST}
      tabIndex={0}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={move}
      onKeyDown={key}
      onDoubleClick={() => onResize(STANDARD)}
    />
  );
}
