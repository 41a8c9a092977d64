import BpmnModeler from "bpmn-js/lib/Modeler";
import ColorPicker from "bpmn-js-color-picker";
import { CreateAppendAnythingModule } from "bpmn-js-create-append-anything";
import Grid from "diagram-js-grid";
import Minimap from "diagram-js-minimap";
import { type Dialect, descriptorOf } from "../dialect";
import { clipboardModule } from "./clipboard";
import { ctrlSelectModule } from "./ctrlSelect";
import { keepForeignModule } from "./keepForeign";
import type { Services } from "./services";
import { translateModule } from "./translate";
import { userTasksModule } from "./userTasks";
import "bpmn-js/dist/assets/diagram-js.css";
import "bpmn-js/dist/assets/bpmn-js.css";
import "bpmn-js/dist/assets/bpmn-font/css/bpmn-codes.css";
import "bpmn-js-color-picker/colors/color-picker.css";
import "diagram-js-minimap/assets/diagram-js-minimap.css";
import "./canvas.css";

/** The canvas on which a process is drawn and changed. */
export type Modeler = BpmnModeler<Services>;

/** Makes a canvas in the container; its keys are those of the focused canvas alone. */
export function newModeler(
  container: HTMLElement,
  dialect: Dialect,
  modules: Record<string, unknown>[] = [],
): Modeler {
  return new BpmnModeler<Services>({
    container,
    bpmnRenderer: {
      defaultFillColor: "var(--diagram-fill)",
      defaultStrokeColor: "var(--diagram-line)",
      defaultLabelColor: "var(--diagram-text)",
    },
    moddleExtensions: { [dialect]: descriptorOf(dialect) },
    additionalModules: [
      translateModule,
      userTasksModule,
      ctrlSelectModule,
      keepForeignModule,
      clipboardModule,
      CreateAppendAnythingModule,
      ColorPicker,
      Minimap,
      Grid,
      ...modules,
    ],
  });
}
