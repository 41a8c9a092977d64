import { useEffect, useState } from "react";
import type { Sheet } from "./useDrawing";

/** How large the drawing is shown; 1 is its own size. */
export function useZoom(sheet: Sheet | null): number {
  const [scale, setScale] = useState(1);
  useEffect(() => {
    if (!sheet) return;
    const bus = sheet.modeler.get("eventBus");
    const read = () => setScale(sheet.modeler.get("canvas").zoom());
    bus.on("canvas.viewbox.changed", read);
    read();
    return () => bus.off("canvas.viewbox.changed", read);
  }, [sheet]);
  return scale;
}
