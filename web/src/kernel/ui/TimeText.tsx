import { Tooltip } from "antd";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { formatTime, relativeTime, toMillis } from "@/kernel/rules";

interface Props {
  value: number | string | null | undefined;
  /** Near times in words (刚刚, 3分钟前) with the full time on hover. */
  relative?: boolean;
  pattern?: string;
}

/** A time of the server (epoch milliseconds), absolute or relative. */
export function TimeText({ value, relative = false, pattern = "YYYY-MM-DD HH:mm" }: Props) {
  useTranslation("kernel");
  const now = useNow(relative);
  if (value === null || value === undefined || value === "") return null;
  const iso = new Date(toMillis(value)).toISOString();
  if (!relative) return <time dateTime={iso}>{formatTime(value, pattern)}</time>;
  return (
    <Tooltip title={formatTime(value, "YYYY-MM-DD HH:mm:ss")}>
      <time dateTime={iso}>{relativeTime(value, now)}</time>
    </Tooltip>
  );
}

/** The present time, renewed every half minute while it is needed. */
function useNow(ticking: boolean): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!ticking) return;
    const timer = setInterval(() => setNow(Date.now()), 30_000);
    return () => clearInterval(timer);
  }, [ticking]);
  return now;
}
