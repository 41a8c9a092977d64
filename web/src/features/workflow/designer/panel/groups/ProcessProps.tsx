import { useTranslation } from "@/kernel/i18n";
import { type Attribute, Attributes } from "../kit/Attributes";
import { set } from "../kit/change";
import { CheckField } from "../kit/fields";
import { processOf, text, useScope } from "../kit/scope";

const attributes: readonly Attribute[] = [
  { name: "candidateStarterUsers", kind: "expression", help: "commas" },
  { name: "candidateStarterGroups", kind: "expression", help: "commas" },
  { name: "versionTag", for: ["camunda"] },
  { name: "historyTimeToLive", for: ["camunda"], help: "timeToLive" },
  { name: "isStartableInTasklist", kind: "check", standard: true, for: ["camunda"] },
  { name: "jobPriority", kind: "expression", for: ["camunda"] },
  { name: "taskPriority", kind: "expression", for: ["camunda"] },
  { name: "isEagerExecutionFetching", kind: "check", standard: false, for: ["flowable"] },
];

/** What the engine does with the whole process. */
export function ProcessProps() {
  const { t } = useTranslation("panel");
  const scope = useScope();
  const process = processOf(scope.bo);
  if (!process) return null;
  // An absent attribute means yes to the heirs of Activiti and no to Camunda.
  const absent = scope.dialect !== "camunda";
  const own = text(process, "isExecutable");
  return (
    <>
      <CheckField
        label={t("attr.isExecutable")}
        value={own === "" ? absent : own === "true"}
        onChange={(isExecutable) => set(scope, process, { isExecutable })}
      />
      <Attributes of={process} list={attributes} />
    </>
  );
}
