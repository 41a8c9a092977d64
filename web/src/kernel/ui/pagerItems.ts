export type PagerItem = number | "back" | "forth";

/**
 * What stands between the arrows: at most `count` page numbers, the first and the last always among
 * them, and a mark for each gap. At either end as many numbers are shown as in the middle.
 */
export function pagerItems(current: number, pages: number, count: number): PagerItem[] {
  if (pages <= count) return run(1, pages);
  const inner = count - 2;
  const start = Math.min(Math.max(current - (inner - 1) / 2, 2), pages - inner);
  const end = start + inner - 1;
  return [
    1,
    ...(start > 2 ? ["back" as const] : []),
    ...run(start, end),
    ...(end < pages - 1 ? ["forth" as const] : []),
    pages,
  ];
}

function run(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, i) => from + i);
}
