import { useEffect, useRef } from "react";
import { useTabActive } from "@/layout";

/** Refreshes a list whose tab is shown again: what was decided on another page is gone from it. */
export function useFreshOnReturn(refresh: () => Promise<void>): void {
  const active = useTabActive();
  const latest = useRef(refresh);
  const hidden = useRef(false);
  useEffect(() => {
    latest.current = refresh;
  });
  useEffect(() => {
    if (!active) hidden.current = true;
    else if (hidden.current) {
      hidden.current = false;
      void latest.current();
    }
  }, [active]);
}
