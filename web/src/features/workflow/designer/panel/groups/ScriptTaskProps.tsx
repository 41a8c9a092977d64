import { type Attribute, Attributes } from "../kit/Attributes";
import { set } from "../kit/change";
import { ScriptFields, scriptSwitch } from "../kit/ScriptFields";
import { useScope } from "../kit/scope";

const attributes: readonly Attribute[] = [
  { name: "resultVariable" },
  { name: "autoStoreVariables", kind: "check", standard: false, for: ["activiti", "flowable"] },
  { name: "skipExpression", kind: "expression", for: ["activiti", "flowable"] },
  { name: "doNotIncludeVariables", kind: "check", standard: false, for: ["flowable"] },
];

/** The script of a script task. */
export function ScriptTaskProps() {
  const scope = useScope();
  const { bo } = scope;
  return (
    <>
      <ScriptFields
        of={bo}
        format="scriptFormat"
        body="script"
        write={(type) => set(scope, bo, scriptSwitch(scope, "script", type))}
      />
      <Attributes of={bo} list={attributes} />
    </>
  );
}
