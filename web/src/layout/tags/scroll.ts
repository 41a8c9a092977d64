/** Length of a scroll animation. */
export const scrollDuration = 500;

function easeInOut(share: number): number {
  return share < 0.5 ? 2 * share * share : 1 - (2 - 2 * share) ** 2 / 2;
}

/** Scrolls sideways within 500 ms; at once when the system asks for reduced motion. */
export function scrollSideways(element: HTMLElement, to: number, duration = scrollDuration): void {
  const from = element.scrollLeft;
  const goal = Math.max(0, Math.min(to, element.scrollWidth - element.clientWidth));
  if (duration <= 0 || window.matchMedia("(prefers-reduced-motion: reduce)").matches) {
    element.scrollLeft = goal;
    return;
  }
  const start = performance.now();
  const step = (now: number) => {
    const share = Math.min(1, (now - start) / duration);
    element.scrollLeft = from + (goal - from) * easeInOut(share);
    if (share < 1 && element.isConnected) requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
}

/** Brings a child of a row into its visible part. */
export function revealInRow(row: HTMLElement, child: HTMLElement): void {
  const left = child.offsetLeft - row.offsetLeft;
  const right = left + child.offsetWidth;
  if (left < row.scrollLeft) scrollSideways(row, left - 16);
  else if (right > row.scrollLeft + row.clientWidth) scrollSideways(row, right - row.clientWidth + 16);
}
