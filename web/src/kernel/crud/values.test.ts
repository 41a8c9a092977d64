import dayjs from "dayjs";
import { describe, expect, test } from "vitest";
import type { Field, FieldKind } from "./entity";
import { bodyValues, formValues, fromForm, rulesOf, toForm } from "./values";

function field(kind: FieldKind, part: Partial<Field> = {}): Field {
  return { name: "x", label: "名称", labelEn: "Name", kind, ...part };
}

describe("between server and form", () => {
  const cases: [FieldKind, unknown][] = [
    ["text", "甲"],
    ["money", 1999],
    ["time", 1795240920000],
    ["date", "2026-11-21"],
    ["bool", false],
    ["refs", [1, 2]],
    ["int", 0],
  ];
  test.each(cases)("%s comes back as it was", (kind, value) => {
    expect(fromForm(field(kind), toForm(field(kind), value))).toEqual(value);
  });

  test("cleared widgets send null, cleared text sends an empty text", () => {
    expect(fromForm(field("text"), undefined)).toBe("");
    expect(fromForm(field("ref"), undefined)).toBeNull();
    expect(fromForm(field("money"), null)).toBeNull();
    expect(fromForm(field("text"), "  甲 ")).toBe("甲");
  });

  test("money is rounded to whole cents", () => expect(fromForm(field("money"), 0.29)).toBe(29));

  test("only the fields of the form are read and sent", () => {
    const fields = [field("text", { name: "a" }), field("time", { name: "at" })];
    expect(formValues(fields, { a: "1", b: "2" })).toEqual({ a: "1", at: undefined });
    expect(bodyValues(fields, { a: "1", at: dayjs(5), b: 3 })).toEqual({ a: "1", at: 5 });
  });
});

test("rules come from the description, with the field's label", () => {
  expect(rulesOf(field("text", { required: true, max: 5 }))).toEqual([
    { required: true, whitespace: true, message: "请填写名称" },
    { max: 5, message: "名称不能超过 5 个字符" },
  ]);
  expect(rulesOf(field("dict", { required: true }))).toEqual([{ required: true, message: "请选择名称" }]);
  expect(rulesOf(field("money", { min: 100 }))).toEqual([
    { type: "number", min: 1, message: "名称不能小于 1" },
  ]);
  expect(rulesOf(field("longtext"))).toEqual([]);
});
