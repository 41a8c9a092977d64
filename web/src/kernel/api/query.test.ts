import { describe, expect, test } from "vitest";
import { serializeQuery, withQuery } from "./query";

describe("serializeQuery", () => {
  const cases: [string, object, string][] = [
    ["scalars", { a: 1, b: "x y", c: false }, "a=1&b=x%20y&c=false"],
    ["null and undefined dropped", { a: null, b: undefined, c: 0, d: "" }, "c=0&d="],
    ["nested objects", { params: { begin: "1", end: null } }, "params%5Bbegin%5D=1"],
    ["deep objects", { a: { b: { c: 2 } } }, "a%5Bb%5D%5Bc%5D=2"],
    ["arrays repeated", { ids: [1, 2, null] }, "ids=1&ids=2"],
    ["indexed keys as given", { "t[0]": "2026-01-01 00:00:00" }, "t%5B0%5D=2026-01-01%2000%3A00%3A00"],
    ["dates as milliseconds", { at: new Date(5) }, "at=5"],
  ];
  test.each(cases)("%s", (_name, query, text) => expect(serializeQuery(query)).toBe(text));
});

test("withQuery joins with ? or &", () => {
  expect(withQuery("/a", { b: 1 })).toBe("/a?b=1");
  expect(withQuery("/a?c=2", { b: 1 })).toBe("/a?c=2&b=1");
  expect(withQuery("/a", {})).toBe("/a");
});
