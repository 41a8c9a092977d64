import { useEffect, useMemo, useReducer } from "react";
import type { Dialect } from "../../dialect";
import type { Scope } from "./scope";
import type { Modeler, PanelModel, Shape } from "./wire";

const changes = ["selection.changed", "commandStack.changed", "elements.changed", "import.done", "root.set"];

/** What the panel is about: the selected element, else what is drawn on; several when several are chosen. */
export function useScopeOf(modeler: Modeler, dialect: Dialect, model?: PanelModel): Scope | number {
  const [revision, changed] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    const bus = modeler.get("eventBus");
    const listener = () => changed();
    bus.on(changes, listener);
    // What was selected between drawing the panel and this moment.
    changed();
    return () => bus.off(changes, listener);
  }, [modeler]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the diagram changes in place, only the count tells.
  return useMemo(() => {
    const selected = modeler.get("selection").get();
    if (selected.length > 1) return selected.length;
    const element = shown(selected[0] ?? modeler.get("canvas").getRootElement());
    const bo = element?.businessObject;
    return bo ? { modeler, dialect, element, bo, model } : 0;
  }, [modeler, dialect, model, revision]);
}

/** A text beside an element stands for the element. */
function shown(element: Shape | undefined): Shape {
  return element?.labelTarget ?? (element as Shape);
}
