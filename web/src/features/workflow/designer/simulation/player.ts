import NavigatedViewer from "bpmn-js/lib/NavigatedViewer";
import simulation from "bpmn-js-token-simulation/lib/viewer";
import "bpmn-js-token-simulation/assets/css/bpmn-js-token-simulation.css";
import type { Modeler } from "../canvas/modeler";
import type { Services } from "../canvas/services";
import { translateModule } from "../canvas/translate";
import { showAll } from "../canvas/view";
import { type Dialect, descriptorOf } from "../dialect";
import { keepTranslated } from "./words";
import "./simulation.css";

interface Playing extends Services {
  toggleMode: { toggleMode: (active: boolean) => void };
}

/** Starts playing a process in the box; calls back when the drawing kit ends it; gives the way to stop. */
export async function play(
  box: HTMLElement,
  xml: string,
  dialect: Dialect,
  ended: () => void,
): Promise<() => void> {
  const viewer = new NavigatedViewer<Playing>({
    container: box,
    moddleExtensions: { [dialect]: descriptorOf(dialect) },
    additionalModules: [translateModule, simulation],
  });
  const translated = keepTranslated(box);
  let stopped = false;
  const stop = () => {
    stopped = true;
    translated();
    viewer.destroy();
  };
  try {
    await viewer.importXML(xml);
    showAll(viewer as unknown as Modeler);
    viewer.get("toggleMode").toggleMode(true);
    viewer.get("eventBus").on("tokenSimulation.toggleMode", ({ active }) => {
      if (!active && !stopped) ended();
    });
    return stop;
  } catch (cause) {
    stop();
    throw cause;
  }
}
