import { useEffect, useState } from "react";
import type { AppRoute, PageLoader, PageRegistry } from "../routes/types";

/** Finds a page by its component key, with or without the family's `/index` at the end. */
export function findPage(pages: PageRegistry, component: string | null): PageLoader | null {
  if (!component) return null;
  const plain = component.replace(/^\/+|\.(tsx|vue)$/g, "");
  return pages[plain] ?? pages[plain.replace(/\/index$/, "")] ?? pages[`${plain}/index`] ?? null;
}

/** Fetches a page's code ahead, e.g. when its menu is pointed at; failures show when it is opened. */
export function prefetchPage(pages: PageRegistry, route: AppRoute): void {
  findPage(pages, route.component)?.().catch(() => undefined);
}

export type LoadState =
  | { status: "loading" }
  | { status: "ready"; Page: React.ComponentType }
  | { status: "failed"; error: unknown };

/** Loads a page's code; `retry` asks for it again after a failure. */
export function useLoadedPage(loader: PageLoader): [LoadState, () => void] {
  const [state, setState] = useState<LoadState>({ status: "loading" });
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt loads again.
  useEffect(() => {
    let wanted = true;
    loader().then(
      (module) => wanted && setState({ status: "ready", Page: module.default }),
      (error: unknown) => wanted && setState({ status: "failed", error }),
    );
    return () => {
      wanted = false;
    };
  }, [loader, attempt]);
  const retry = () => {
    setState({ status: "loading" });
    setAttempt((count) => count + 1);
  };
  return [state, retry];
}
