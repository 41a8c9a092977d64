import { useEffect, useState } from "react";
import { useTabActive } from "@/layout";

const TICK = 30_000;

/** The server's present time, half a minute exact; `serverTime` is what it said when it answered. */
export function useServerNow(serverTime: number | undefined, answeredAt: number): number {
  const active = useTabActive();
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!active) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), TICK);
    return () => clearInterval(timer);
  }, [active]);
  return serverTime ? serverTime + Math.max(0, now - answeredAt) : now;
}
