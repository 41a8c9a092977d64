/** Colours as [red, green, blue], 0 to 255. */
type Rgb = [number, number, number];

export function parseHex(color: string): Rgb {
  const hex = color.replace("#", "");
  const full = hex.length === 3 ? [...hex].map((c) => c + c).join("") : hex.slice(0, 6);
  const value = Number.parseInt(full, 16);
  if (full.length !== 6 || Number.isNaN(value)) return [64, 158, 255];
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}

export function toHex([r, g, b]: Rgb): string {
  return `#${[r, g, b].map((part) => Math.round(part).toString(16).padStart(2, "0")).join("")}`;
}

function luminance(color: Rgb): number {
  const [r, g, b] = color.map((part) => {
    const s = part / 255;
    return s <= 0.03928 ? s / 12.92 : ((s + 0.055) / 1.055) ** 2.4;
  }) as Rgb;
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** WCAG contrast ratio of two colours, 1 to 21. */
export function contrast(a: string, b: string): number {
  const [x, y] = [luminance(parseHex(a)), luminance(parseHex(b))];
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
}

function mix(color: Rgb, other: Rgb, share: number): Rgb {
  return color.map((part, i) => part + ((other[i] ?? 0) - part) * share) as Rgb;
}

/**
 * The colour nearest to `color` that reaches the contrast against `background`:
 * darkened on a light background, lightened on a dark one.
 */
export function readable(color: string, background = "#ffffff", wanted = 4.5): string {
  const goal: Rgb = luminance(parseHex(background)) > 0.5 ? [0, 0, 0] : [255, 255, 255];
  const start = parseHex(color);
  for (let share = 0; share <= 1; share += 0.02) {
    const candidate = toHex(mix(start, goal, share));
    if (contrast(candidate, background) >= wanted) return candidate;
  }
  return toHex(goal);
}
