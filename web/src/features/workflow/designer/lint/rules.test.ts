import { BpmnModdle } from "bpmn-moddle";
import { expect, test } from "vitest";
import { descriptorOf } from "../dialect";
import { problemsOf } from "./rules";

const wrap = (content: string) =>
  `<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:flowable="http://flowable.org/bpmn" targetNamespace="t"><process id="p">${content}</process></definitions>`;

async function codes(content: string): Promise<string[]> {
  const moddle = new BpmnModdle({ flowable: descriptorOf("flowable") });
  const { rootElement } = await moddle.fromXML(wrap(content));
  return problemsOf(rootElement).map(({ id, code }) => `${id} ${code}`);
}

const flow = (id: string, from: string, to: string, inner = "") =>
  `<sequenceFlow id="${id}" sourceRef="${from}" targetRef="${to}">${inner}</sequenceFlow>`;
const way = (id: string, into: string[], out: string[], type: string, rest = "", inner = "") =>
  `<${type} id="${id}" ${rest}>${into.map((one) => `<incoming>${one}</incoming>`).join("")}${out.map((one) => `<outgoing>${one}</outgoing>`).join("")}${inner}</${type}>`;

const sound = (task: string, rest = "", inner = "") =>
  way("s", [], ["f1"], "startEvent") +
  way("t", ["f1"], ["f2"], task, rest, inner) +
  way("e", ["f2"], [], "endEvent") +
  flow("f1", "s", "t") +
  flow("f2", "t", "e");

test.each([
  ["a sound process", sound("userTask", 'name="a" flowable:assignee="x"'), []],
  ["nothing at all", "", ["p noStart", "p noEnd"]],
  ["a task without a name", sound("userTask"), ["t taskName"]],
  ["a task without anybody", sound("userTask", 'name="a"'), ["t taskAssignment"]],
  ["a task with a strategy", sound("userTask", 'name="a" flowable:candidateStrategy="30"'), []],
  [
    "a task with a strategy as an element",
    sound(
      "userTask",
      'name="a"',
      "<extensionElements><flowable:candidateStrategy>30</flowable:candidateStrategy></extensionElements>",
    ),
    [],
  ],
  ["a standard loop", sound("manualTask", "", "<standardLoopCharacteristics/>"), ["t standardLoop"]],
  ["an unreachable task", `${sound("manualTask")}<manualTask id="alone"/>`, ["alone unreachable"]],
  [
    "what hangs on a reachable task",
    `${sound("manualTask")}<boundaryEvent id="b" attachedToRef="t"><timerEventDefinition><timeDuration xsi:type="tFormalExpression">P1D</timeDuration></timerEventDefinition></boundaryEvent>`,
    [],
  ],
])("%s", async (_name, content, expected) => {
  expect(await codes(content)).toEqual(expected);
});

test("a gateway wants a default and conditions", async () => {
  const gateway = (rest: string, conditions: [string, string]) =>
    way("s", [], ["f1"], "startEvent") +
    way("g", ["f1"], ["f2", "f3"], "exclusiveGateway", rest) +
    way("e", ["f2", "f3"], [], "endEvent") +
    flow("f1", "s", "g") +
    flow("f2", "g", "e", conditions[0]) +
    flow("f3", "g", "e", conditions[1]);
  const condition = '<conditionExpression xsi:type="tFormalExpression">#{x}</conditionExpression>';
  expect(await codes(gateway("", [condition, condition]))).toEqual(["g gatewayDefault"]);
  expect(await codes(gateway('default="f3"', [condition, ""]))).toEqual([]);
  expect(await codes(gateway('default="f3"', ["", ""]))).toEqual(["f2 flowCondition"]);
});

test.each([
  ["timeDate", "2026-11-21T14:00:00", true],
  ["timeDate", "2026-13-45", false],
  ["timeDuration", "PT1D", false],
  ["timeDuration", "P1DT2H", true],
  ["timeDuration", "P", false],
  ["timeDuration", "#{days}", true],
  ["timeCycle", "R3/PT10M", true],
  ["timeCycle", "R/2026-11-21T00:00:00Z/P1D", true],
  ["timeCycle", "0 0 8 * * ?", true],
  ["timeCycle", "every day", false],
  ["timeCycle", "", "timerMissing"],
])("the timer %s %s is told right", async (kind, value, right) => {
  const timer = `<timerEventDefinition><${kind} xsi:type="tFormalExpression">${value}</${kind}></timerEventDefinition>`;
  const found = await codes(
    way("s", [], ["f1"], "startEvent", "", timer) + way("e", ["f1"], [], "endEvent") + flow("f1", "s", "e"),
  );
  expect(found).toEqual(right === true ? [] : [`s ${right === false ? "timerSyntax" : right}`]);
});
