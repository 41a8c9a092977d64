import { expect, test } from "vitest";
import { processFile } from "../fidelity/fixtures";
import { changesBetween } from "./changes";

const text = processFile("flowable", "", 'flowable:assignee="ann"');
const said = (after: string) => changesBetween(text, after).map(({ id, what }) => `${what} ${id}`);

test.each([
  ["nothing", text, []],
  ["a drawing", text.replaceAll('x="200.0"', 'x="260"'), []],
  ["a name", text.replace('name="审核"', 'name="复核"'), ["changed check"]],
  ["who decides", text.replace('assignee="ann"', 'assignee="bob"'), ["changed check"]],
  [
    "something more to say",
    text.replace("<sequenceFlow", '<endEvent id="end"/><sequenceFlow'),
    ["added end"],
  ],
  [
    "a condition that was not there",
    text.replace(
      'targetRef="check"/>',
      'targetRef="check"><conditionExpression>#{x}</conditionExpression></sequenceFlow>',
    ),
    ["changed f1"],
  ],
  ["an element less", text.replace(/<sequenceFlow[^>]*\/>/, ""), ["removed f1"]],
])("%s changes", (_name, after, expected) => {
  expect(said(after)).toEqual(expected);
});
