import { RootSelect } from "../kit/RootSelect";
import { useScope } from "../kit/scope";

/** The message a receive task waits for. */
export function ReceiveTaskProps() {
  const { bo } = useScope();
  return <RootSelect kind="Message" of={bo} />;
}
