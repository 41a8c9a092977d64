import { type Change, make, makeExpression } from "./change";
import { extensionText, extensionTexts } from "./extensions";
import { child, is, type Scope, text, vendor } from "./scope";

/** What a strategy of assignment takes: nothing, ids of a list, a level, a form field, both, or a text. */
export type Takes = "none" | "ids" | "idsLevel" | "level" | "field" | "fieldLevel" | "expression" | "free";

interface Strategy {
  code: string;
  takes: Takes;
  path?: string;
}

/** The strategies that the server knows by itself. */
export const strategies: readonly Strategy[] = [
  { code: "30", takes: "ids", path: "/system/user/list-all-simple" },
  { code: "10", takes: "ids", path: "/system/role/list-all-simple" },
  { code: "20", takes: "ids", path: "/system/dept/list-all-simple" },
  { code: "21", takes: "ids", path: "/system/dept/list-all-simple" },
  { code: "23", takes: "idsLevel", path: "/system/dept/list-all-simple" },
  { code: "22", takes: "ids", path: "/system/post/list-all-simple" },
  { code: "40", takes: "ids", path: "/bpm/user-group/list-all-simple" },
  { code: "34", takes: "none" },
  { code: "35", takes: "none" },
  { code: "36", takes: "none" },
  { code: "37", takes: "level" },
  { code: "38", takes: "level" },
  { code: "50", takes: "field" },
  { code: "51", takes: "fieldLevel" },
  { code: "60", takes: "expression" },
];

const firstOf = (scope: Scope, name: string, type: string) =>
  text(scope.bo, vendor(scope, name)) || extensionText(scope, scope.bo, type);

/** Who decides as the diagram says: an attribute of the task, else an element of the same name. */
export function candidateOf(scope: Scope): { strategy: string; param: string } {
  return {
    strategy: firstOf(scope, "candidateStrategy", "CandidateStrategy"),
    param: firstOf(scope, "candidateParam", "CandidateParam"),
  };
}

/** Writes who decides where the file has it; new ones become attributes. */
export function candidateChanges(scope: Scope, strategy: string, param: string): Change[] {
  const texts =
    extensionText(scope, scope.bo, "CandidateStrategy") !== "" ||
    extensionText(scope, scope.bo, "CandidateParam") !== "";
  const attribute = text(scope.bo, vendor(scope, "candidateStrategy")) !== "";
  if (texts && !attribute)
    return extensionTexts(scope, scope.bo, { CandidateStrategy: strategy, CandidateParam: param });
  return [
    {
      target: scope.bo,
      props: {
        [vendor(scope, "candidateStrategy")]: strategy || undefined,
        [vendor(scope, "candidateParam")]: param || undefined,
      },
    },
    // What the attribute overrides must not speak again later.
    ...(texts ? extensionTexts(scope, scope.bo, { CandidateStrategy: "", CandidateParam: "" }) : []),
  ];
}

/** How several people decide: 1 one at random, 2 all by a share, 3 any one, 4 in turn. */
export type Method = "1" | "2" | "3" | "4";

const SHARE = /^\$\{\s*nrOfCompletedInstances\s*\/\s*nrOfInstances\s*>=\s*([\d.]+)\s*\}$/;
const ANY = /^\$\{\s*nrOfCompletedInstances\s*>\s*0\s*\}$/;

/** What the multi-instance of the task means, undefined when it is of another kind. */
export function methodOf(scope: Scope): { method: Method | undefined; ratio: number } {
  const loop = child(scope.bo, "loopCharacteristics");
  const ratio = 100;
  if (!loop) return { method: "1", ratio };
  if (!is(loop, "bpmn:MultiInstanceLoopCharacteristics")) return { method: undefined, ratio };
  const condition = text(child(loop, "completionCondition"), "body").trim();
  if (loop.get("isSequential") === true) return { method: "4", ratio };
  if (ANY.test(condition)) return { method: "3", ratio };
  const share = SHARE.exec(condition)?.[1];
  if (share) return { method: "2", ratio: Math.round(Number(share) * 100) };
  return { method: condition === "" ? "2" : undefined, ratio };
}

const conditions: Record<Exclude<Method, "1">, (ratio: number) => string> = {
  "2": (ratio) => `\${ nrOfCompletedInstances/nrOfInstances >= ${ratio / 100} }`,
  "3": () => `\${ nrOfCompletedInstances > 0 }`,
  "4": () => `\${ nrOfCompletedInstances >= nrOfInstances }`,
};

/** Writes the method twice, as the family does: as number, and as the multi-instance that does it. */
export function methodChanges(scope: Scope, method: Method, ratio: number): Change[] {
  const { bo } = scope;
  const texts = extensionTexts(scope, bo, {
    ApproveMethod: method,
    ApproveRatio: method === "2" ? String(ratio) : "",
  });
  if (method === "1") return [{ target: bo, props: { loopCharacteristics: undefined } }, ...texts];
  const isSequential = method === "4";
  const body = conditions[method](ratio);
  const loop = child(bo, "loopCharacteristics");
  if (loop && is(loop, "bpmn:MultiInstanceLoopCharacteristics")) {
    const completionCondition = makeExpression(scope, body, loop);
    return [{ target: loop, props: { isSequential, completionCondition } }, ...texts];
  }
  const made = make(scope, "bpmn:MultiInstanceLoopCharacteristics", isSequential ? { isSequential } : {}, bo);
  made.set("completionCondition", makeExpression(scope, body, made));
  return [{ target: bo, props: { loopCharacteristics: made } }, ...texts];
}
