import { lazy, type ReactNode, Suspense, useEffect, useState } from "react";
import { ErrorBoundary } from "@/kernel/ui/ErrorBoundary";
import type { DetailDrawer as Detail } from "./DetailDrawer";
import type { FormDrawer as Form } from "./FormDrawer";
import type { ImportDialog as Import } from "./ImportDialog";

// What a list opens on demand is fetched when the list has been shown, or at the first opening.

const loadForm = () => import("./FormDrawer");
const loadDetail = () => import("./DetailDrawer");
const loadImport = () => import("./ImportDialog");

export const FormDrawer = lazy(() =>
  loadForm().then((part) => ({ default: part.FormDrawer })),
) as unknown as typeof Form;
export const DetailDrawer = lazy(() =>
  loadDetail().then((part) => ({ default: part.DetailDrawer })),
) as unknown as typeof Detail;
export const ImportDialog = lazy(() =>
  loadImport().then((part) => ({ default: part.ImportDialog })),
) as unknown as typeof Import;

/** Fetches the parts once the page is idle; a failure is shown when the part is opened. */
export function usePrefetchedParts(): void {
  useEffect(() => {
    const fetchParts = () => {
      for (const load of [loadDetail, loadForm]) load().catch(() => undefined);
    };
    if (!window.requestIdleCallback) {
      const timer = setTimeout(fetchParts, 1000);
      return () => clearTimeout(timer);
    }
    const idle = window.requestIdleCallback(fetchParts);
    return () => window.cancelIdleCallback(idle);
  }, []);
}

/** Renders a part from its first opening on, so that it can close with its motion. */
export function OnDemand({ open, children }: { open: boolean; children: ReactNode }) {
  const [opened, setOpened] = useState(open);
  if (open && !opened) setOpened(true);
  if (!opened) return null;
  return (
    <ErrorBoundary>
      <Suspense fallback={null}>{children}</Suspense>
    </ErrorBoundary>
  );
}
