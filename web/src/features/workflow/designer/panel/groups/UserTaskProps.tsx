import { useTranslation } from "@/kernel/i18n";
import { type Attribute, Attributes } from "../kit/Attributes";
import { useScope } from "../kit/scope";

const heirs = ["activiti", "flowable"] as const;

const dates: readonly Attribute[] = [
  { name: "dueDate", kind: "expression", help: "dueDate" },
  { name: "followUpDate", kind: "expression", for: ["camunda"], help: "dueDate" },
  { name: "priority", kind: "expression" },
  { name: "category", kind: "expression", for: heirs },
  { name: "businessCalendarName", for: heirs },
  { name: "skipExpression", kind: "expression", for: heirs },
  { name: "taskIdVariableName", for: ["flowable"] },
  { name: "taskCompleterVariableName", for: ["flowable"] },
];

const people: readonly Attribute[] = [
  { name: "assignee", kind: "expression" },
  { name: "owner", kind: "expression", for: heirs },
  { name: "candidateUsers", kind: "expression", help: "commas" },
  { name: "candidateGroups", kind: "expression", help: "commas" },
];

/** Dates of a user task, and people named by the file itself. */
export function UserTaskProps() {
  const { t } = useTranslation("panel");
  const { bo } = useScope();
  return (
    <>
      <Attributes of={bo} list={dates} />
      <h3 className="panel-sub">{t("userTask.people")}</h3>
      <p>{t("userTask.peopleAbout")}</p>
      <Attributes of={bo} list={people} />
    </>
  );
}
