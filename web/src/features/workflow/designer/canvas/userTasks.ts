import type { Entries, Services, Shape } from "./services";
import { translate } from "./translate";

const USER_TASK = "bpmn:UserTask";
const icon = "bpmn-icon-user-task";
/** After the drawing kit's own entries, which are at the usual 1000. */
const LATE = 500;

type Start = (event: Event, element?: Shape) => void;

/** People decide in these processes: creating and appending a task makes one for a person. */
class UserTasks {
  static $inject = ["palette", "contextPad", "create", "elementFactory", "autoPlace"];
  private readonly create: Services["create"];
  private readonly factory: Services["elementFactory"];
  private readonly autoPlace: Services["autoPlace"];

  constructor(
    palette: Services["palette"],
    contextPad: Services["contextPad"],
    create: Services["create"],
    factory: Services["elementFactory"],
    autoPlace: Services["autoPlace"],
  ) {
    this.create = create;
    this.factory = factory;
    this.autoPlace = autoPlace;
    palette.registerProvider(LATE, this);
    contextPad.registerProvider(LATE, this);
  }

  getPaletteEntries() {
    return (entries: Entries): Entries => {
      const entry = entries["create.task"];
      if (!entry) return entries;
      const start: Start = (event) => this.create.start(event, this.newTask());
      const task = { ...entry, className: icon, title: translate("Create user task") };
      return { ...entries, "create.task": { ...task, action: { click: start, dragstart: start } } };
    };
  }

  getContextPadEntries(source: Shape) {
    return (entries: Entries): Entries => {
      const entry = entries["append.append-task"];
      if (!entry) return entries;
      const drag: Start = (event) => this.create.start(event, this.newTask(), { source });
      const append: Start = () => this.autoPlace.append(source, this.newTask());
      const task = { ...entry, className: icon, title: translate("Append user task") };
      return { ...entries, "append.append-task": { ...task, action: { click: append, dragstart: drag } } };
    };
  }

  private newTask(): Shape {
    return this.factory.createShape({ type: USER_TASK });
  }
}

/** Registers the entries. */
export const userTasksModule = { __init__: ["userTasks"], userTasks: ["type", UserTasks] };
