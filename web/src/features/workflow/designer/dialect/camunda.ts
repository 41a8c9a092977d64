import source from "camunda-bpmn-moddle/resources/camunda.json";
import { approvalTypes } from "./approval";
import { type PackageDescriptor, properties } from "./descriptor";

/** Properties that the published description lacks. */
const missing: Record<string, string> = {
  DmnCapable: "decisionRefVersionTag",
  Assignable: "candidateStrategy candidateParam",
};

/** Camunda's own description with what it lacks and what the approval layer reads. */
export function camunda(): PackageDescriptor {
  const copy = structuredClone(source) as unknown as PackageDescriptor;
  for (const [name, short] of Object.entries(missing)) {
    copy.types.find((type) => type.name === name)?.properties?.push(...properties(short));
  }
  copy.types.push(...approvalTypes());
  return copy;
}
