import { is, processOf, useScope } from "../kit/scope";
import { ListenerTable } from "./ListenerTable";

/** What runs when an element is entered or left, or a flow is taken. */
export function ExecutionListenerProps() {
  const { bo } = useScope();
  const of = is(bo, "bpmn:Participant") ? processOf(bo) : bo;
  return of ? <ListenerTable use="execution" of={of} takes={is(bo, "bpmn:SequenceFlow")} /> : null;
}
