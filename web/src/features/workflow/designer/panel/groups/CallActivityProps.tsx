import { useTranslation } from "@/kernel/i18n";
import { type Attribute, Attributes } from "../kit/Attributes";
import { apply } from "../kit/change";
import { SelectField } from "../kit/fields";
import { type Scope, text, useScope, vendor } from "../kit/scope";

const bindings = ["latest", "deployment", "version", "versionTag"];

const flowable: readonly Attribute[] = [
  { name: "calledElementType", kind: "choice", standard: "key", choices: ["key", "id"], for: ["flowable"] },
  { name: "processInstanceName", kind: "expression", for: ["flowable"] },
  { name: "businessKey", kind: "expression", for: ["activiti", "flowable"] },
  { name: "inheritBusinessKey", kind: "check", standard: false, for: ["activiti", "flowable"] },
  { name: "inheritVariables", kind: "check", standard: false, for: ["activiti", "flowable"] },
  { name: "sameDeployment", kind: "check", standard: false, for: ["activiti", "flowable"] },
  { name: "fallbackToDefaultTenant", kind: "check", standard: false, for: ["flowable"] },
  { name: "useLocalScopeForOutParameters", kind: "check", standard: false, for: ["flowable"] },
  { name: "completeAsync", kind: "check", standard: false, for: ["flowable"] },
  { name: "idVariableName", for: ["flowable"] },
];

const mapping: readonly Attribute[] = [
  { name: "variableMappingClass" },
  { name: "variableMappingDelegateExpression", kind: "expression" },
];

/** What a call activity starts: a process, or a case of Camunda. */
export function CallActivityProps() {
  const { t } = useTranslation("panel");
  const scope = useScope();
  const { bo } = scope;
  const isCase = bo.get(vendor(scope, "caseRef")) !== undefined;
  return (
    <>
      {scope.dialect === "camunda" || isCase ? (
        <SelectField
          label={t("call.kind")}
          value={isCase ? "case" : "process"}
          options={["process", "case"].map((value) => ({ value, label: t(`call.kinds.${value}`) }))}
          onChange={(next) => apply(scope, [{ target: bo, props: kindProps(scope, next === "case") }])}
        />
      ) : null}
      <Attributes of={bo} list={isCase ? caseAttributes(scope) : processAttributes(scope)} />
      <Attributes of={bo} list={flowable} />
      <Attributes of={bo} list={mapping} />
    </>
  );
}

function processAttributes(scope: Scope): Attribute[] {
  const binding = text(scope.bo, vendor(scope, "calledElementBinding"));
  return [
    { name: "calledElement", plain: true, kind: "expression" },
    {
      name: "calledElementBinding",
      kind: "choice",
      standard: "latest",
      label: "binding",
      choices: bindings,
    },
    { name: "calledElementVersion", kind: "expression", for: binding === "version" ? undefined : [] },
    { name: "calledElementVersionTag", kind: "expression", for: binding === "versionTag" ? undefined : [] },
    { name: "calledElementTenantId", kind: "expression", for: ["camunda"] },
  ];
}

function caseAttributes(scope: Scope): Attribute[] {
  const binding = text(scope.bo, vendor(scope, "caseBinding"));
  return [
    { name: "caseRef", kind: "expression" },
    {
      name: "caseBinding",
      kind: "choice",
      standard: "latest",
      label: "binding",
      choices: bindings.slice(0, 3),
    },
    { name: "caseVersion", kind: "expression", for: binding === "version" ? undefined : [] },
    { name: "caseTenantId", kind: "expression" },
  ];
}

/** The other kind starts empty and with the newest version. */
function kindProps(scope: Scope, isCase: boolean): Record<string, unknown> {
  const gone = isCase
    ? ["calledElementBinding", "calledElementVersion", "calledElementVersionTag", "calledElementTenantId"]
    : ["caseRef", "caseBinding", "caseVersion", "caseTenantId"];
  const props: Record<string, unknown> = Object.fromEntries(
    gone.map((name) => [vendor(scope, name), undefined]),
  );
  if (isCase) return { ...props, calledElement: undefined, [vendor(scope, "caseRef")]: "" };
  return props;
}
