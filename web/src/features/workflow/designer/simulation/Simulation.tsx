import { useEffect, useRef, useState } from "react";
import { errorText } from "@/kernel/api/errors";
import { useTranslation } from "@/kernel/i18n";
import { toast } from "@/kernel/ui";
import type { Dialect } from "../dialect";
import { play } from "./player";

interface Props {
  /** The drawing as it is now. */
  read: () => Promise<string>;
  dialect: Dialect;
  /** Called when the playing ended by itself or could not begin. */
  onEnd: () => void;
}

/** Plays the process on a copy of the drawing that lies over it. */
export function Simulation({ read, dialect, onEnd }: Props) {
  const { t } = useTranslation("designer");
  const place = useRef<HTMLDivElement>(null);
  const [inputs] = useState({ read, dialect, onEnd });
  useEffect(() => {
    const box = place.current;
    if (!box) return;
    let stop = () => {};
    let gone = false;
    inputs
      .read()
      .then((xml) => play(box, xml, inputs.dialect, () => inputs.onEnd()))
      .then(
        (end) => {
          if (gone) end();
          else stop = end;
        },
        (cause) => {
          if (gone) return;
          toast.error(t("simulation.failed", { reason: errorText(cause) }));
          inputs.onEnd();
        },
      );
    return () => {
      gone = true;
      stop();
    };
  }, [inputs, t]);
  return <section ref={place} className="designer-simulation" aria-label={t("simulation.label")} />;
}
