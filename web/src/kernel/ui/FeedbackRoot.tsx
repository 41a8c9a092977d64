import { lazy, Suspense } from "react";
import { useFeedbackQueue } from "./feedback";

const FeedbackHost = lazy(() => import("./FeedbackHost"));

let needed = false;

/** Mounted once near the root; loads what draws messages when the first one is queued. */
export function FeedbackRoot() {
  const waiting = useFeedbackQueue((queue) => queue.items.length > 0);
  needed ||= waiting;
  if (!needed) return null;
  return (
    <Suspense fallback={null}>
      <FeedbackHost />
    </Suspense>
  );
}
