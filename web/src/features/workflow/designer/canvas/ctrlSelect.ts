import type { Services, Shape } from "./services";

/** Before the drawing kit's own answers: it selects with Shift alone and moves the canvas with Ctrl. */
const EARLY = 2500;

interface Click {
  element: Shape;
  originalEvent?: { button?: number; ctrlKey?: boolean; metaKey?: boolean; shiftKey?: boolean };
}

/** Ctrl, on a Mac Cmd, and a click take an element into the selection or out of it. */
class CtrlSelect {
  static $inject = ["eventBus", "selection", "canvas"];

  constructor(eventBus: Services["eventBus"], selection: Services["selection"], canvas: Services["canvas"]) {
    const meant = ({ element, originalEvent }: Click) =>
      (originalEvent?.ctrlKey || originalEvent?.metaKey) &&
      !originalEvent.button &&
      element !== canvas.getRootElement();
    eventBus.on("element.mousedown", EARLY, (event) => (meant(event as unknown as Click) ? true : undefined));
    eventBus.on("element.click", EARLY, (event) => {
      const click = event as unknown as Click;
      if (!meant(click)) return undefined;
      const chosen = selection.get();
      const rest = chosen.filter((one) => one !== click.element);
      selection.select(rest.length < chosen.length ? rest : [...chosen, click.element]);
      return true;
    });
  }
}

/** Registers the listener. */
export const ctrlSelectModule = { __init__: ["ctrlSelect"], ctrlSelect: ["type", CtrlSelect] };
