import type { PageRegistry } from "@/layout";

/** Each feature lists its pages by the component keys that menus carry. */
const features = import.meta.glob<{ pages: PageRegistry }>("../features/*/pages.ts", { eager: true });

export const pages: PageRegistry = Object.assign(
  {},
  ...Object.values(features).map((feature) => feature.pages),
);
