import { Skeleton } from "antd";
import { lazy, Suspense } from "react";
import { ErrorBoundary } from "@/kernel/ui";
import type { DiagramProps } from "./DiagramViewer";

const DiagramViewer = lazy(() => import("./DiagramViewer").then((part) => ({ default: part.DiagramViewer })));

/** A process drawn to be read; the drawing kit is fetched when the first one is shown. */
export function Diagram(props: DiagramProps) {
  return (
    <ErrorBoundary>
      <Suspense fallback={<Skeleton active paragraph={{ rows: 6 }} />}>
        <DiagramViewer {...props} />
      </Suspense>
    </ErrorBoundary>
  );
}
