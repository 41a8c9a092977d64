/** The parts of the parsed diagram that are read here. */
interface Moddle {
  $type: string;
  id?: string;
  name?: string;
  documentation?: { text?: string }[];
  rootElements?: Moddle[];
  flowElements?: Moddle[];
  participants?: Moddle[];
  processRef?: Moddle;
  sourceRef?: Moddle;
  targetRef?: Moddle;
  attachedToRef?: Moddle;
}

/** A step of a process in words. */
export interface Step {
  id: string;
  name: string;
  /** Type as BPMN calls it, with a small first letter: userTask. */
  type: string;
  documentation: string;
  /** What may come next. */
  next: { id: string; name: string; flow: string }[];
}

const isStep = (element: Moddle) =>
  /Event$|Task$|Gateway$|Activity$|SubProcess$|Transaction$/.test(element.$type) && Boolean(element.id);

/** The type of an element in the key form of activity lists and texts. */
export function typeKey(type: string): string {
  const name = type.replace(/^.*:/, "");
  return name.charAt(0).toLowerCase() + name.slice(1);
}

/** Lists the steps of a parsed diagram in the order in which they can be reached. */
export function stepsOf(definitions: unknown): Step[] {
  const elements = flowElements((definitions as Moddle | undefined)?.rootElements ?? []);
  const flows = elements.filter((element) => element.$type === "bpmn:SequenceFlow");
  const nodes = elements.filter(isStep);
  return inOrder(nodes, flows).map((node) => ({
    id: node.id ?? "",
    name: node.name ?? "",
    type: typeKey(node.$type),
    documentation: (node.documentation ?? []).map((one) => one.text ?? "").join("\n"),
    next: flows.flatMap((flow) =>
      flow.sourceRef === node && flow.targetRef?.id
        ? [{ id: flow.targetRef.id, name: flow.targetRef.name ?? "", flow: flow.name ?? "" }]
        : [],
    ),
  }));
}

function flowElements(elements: readonly Moddle[]): Moddle[] {
  return elements.flatMap((element) => [element, ...flowElements(element.flowElements ?? [])]);
}

/** From the beginnings along the flows; what hangs on nothing comes last. */
function inOrder(nodes: readonly Moddle[], flows: readonly Moddle[]): Moddle[] {
  const targets = new Set(flows.map((flow) => flow.targetRef));
  const begins = nodes.filter((node) => !targets.has(node) && !node.attachedToRef);
  const found = new Set<Moddle>(begins);
  for (const node of found) {
    for (const flow of flows) if (flow.sourceRef === node && flow.targetRef) found.add(flow.targetRef);
    for (const other of nodes) if (other.attachedToRef === node) found.add(other);
  }
  for (const node of nodes) found.add(node);
  return [...found].filter((node) => nodes.includes(node));
}
