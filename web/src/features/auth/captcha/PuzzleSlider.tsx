import { DoubleRightOutlined } from "@ant-design/icons";
import { type KeyboardEvent, type PointerEvent, useRef } from "react";
import { useTranslation } from "@/kernel/i18n";
import { clampPosition, lastPosition, pictureWidth, pieceWidth, toPicture } from "./answer";

interface Props {
  x: number;
  busy: boolean;
  onMove: (x: number) => void;
  onConfirm: (x: number) => void;
}

const steps: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
  PageDown: -10,
  PageUp: 10,
};

/** Moves the piece: dragged, or with the arrow keys (10 px with Shift or Page keys), Enter confirms. */
export function PuzzleSlider({ x, busy, onMove, onConfirm }: Props) {
  const { t } = useTranslation("auth");
  const track = useRef<HTMLDivElement>(null);
  const grip = useRef<{ pointer: number; from: number; at: number } | null>(null);

  const onKeyDown = (event: KeyboardEvent) => {
    const step = steps[event.key];
    if (step !== undefined) onMove(clampPosition(Math.round(x) + step * (event.shiftKey ? 10 : 1)));
    else if (event.key === "Home") onMove(0);
    else if (event.key === "End") onMove(lastPosition);
    else if (event.key === "Enter" || event.key === " ") onConfirm(x);
    else return;
    event.preventDefault();
  };
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    if (busy || event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    grip.current = { pointer: event.pointerId, from: event.clientX, at: x };
  };
  const positionOf = (event: PointerEvent): number | null => {
    const held = grip.current;
    if (!held || held.pointer !== event.pointerId) return null;
    const shown = track.current?.clientWidth ?? pictureWidth;
    return clampPosition(held.at + toPicture(event.clientX - held.from, shown));
  };
  const onPointerMove = (event: PointerEvent) => {
    const position = positionOf(event);
    if (position !== null) onMove(position);
  };
  const onPointerUp = (event: PointerEvent) => {
    const position = positionOf(event);
    grip.current = null;
    if (position !== null && position > 0) onConfirm(position);
  };
  const offset = `${(x / pictureWidth) * 100}%`;
  return (
    <div ref={track} className="puzzle-track">
      <div className="puzzle-done" style={{ width: offset }} />
      <span className="puzzle-hint" aria-hidden="true">
        {x === 0 ? t("captcha.drag") : ""}
      </span>
      <div
        role="slider"
        tabIndex={0}
        className="puzzle-handle"
        style={{ left: offset, width: `${(pieceWidth / pictureWidth) * 100}%` }}
        aria-label={t("captcha.slider")}
        aria-valuemin={0}
        aria-valuemax={lastPosition}
        aria-valuenow={Math.round(x)}
        aria-valuetext={t("captcha.position", { x: Math.round(x), max: lastPosition })}
        aria-disabled={busy}
        onKeyDown={onKeyDown}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerUp={onPointerUp}
        onPointerCancel={() => {
          grip.current = null;
        }}
      >
        <DoubleRightOutlined aria-hidden="true" />
      </div>
    </div>
  );
}
