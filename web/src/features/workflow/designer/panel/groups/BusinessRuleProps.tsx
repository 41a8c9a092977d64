import { useTranslation } from "@/kernel/i18n";
import { type Attribute, Attributes } from "../kit/Attributes";
import { set } from "../kit/change";
import { extensions } from "../kit/extensions";
import { NamedField } from "../kit/NamedField";
import { text, useScope, vendor } from "../kit/scope";
import { kindOf } from "../kit/service";
import { useHandlers } from "../kit/useHandlers";
import { ServiceProps } from "./ServiceProps";

const drools: readonly Attribute[] = [
  { name: "ruleVariablesInput", kind: "expression" },
  { name: "rules" },
  { name: "exclude", kind: "check", standard: false },
];

const results = ["singleEntry", "singleResult", "collectEntries", "resultList"];

/** What decides: a decision, a rule engine, or code as in a service task. */
export function BusinessRuleProps() {
  const { t } = useTranslation("panel");
  const scope = useScope();
  const { bo } = scope;
  const decisions = useHandlers().filter(({ kind }) => kind === "decision");
  const dmn = kindOf(scope, bo, extensions(scope, bo, "Connector").length > 0) === "dmn";
  const binding = text(bo, vendor(scope, "decisionRefBinding"));
  return (
    <>
      <ServiceProps />
      {dmn ? (
        <>
          <NamedField
            label={t("attr.decisionRef")}
            value={text(bo, vendor(scope, "decisionRef"))}
            choices={decisions}
            onCommit={(next) => set(scope, bo, { [vendor(scope, "decisionRef")]: next })}
          />
          <Attributes
            of={bo}
            list={[
              {
                name: "decisionRefBinding",
                kind: "choice",
                standard: "latest",
                label: "binding",
                choices: ["latest", "deployment", "version", "versionTag"],
              },
              { name: "decisionRefVersion", for: binding === "version" ? undefined : [] },
              { name: "decisionRefVersionTag", for: binding === "versionTag" ? undefined : [] },
              { name: "decisionRefTenantId" },
              { name: "mapDecisionResult", kind: "choice", standard: "resultList", choices: results },
              { name: "resultVariable" },
            ]}
          />
        </>
      ) : null}
      {scope.dialect === "camunda" || dmn ? null : <Attributes of={bo} list={drools} />}
    </>
  );
}
