import { describe, expect, test } from "vitest";
import { firstNumber, fits, isInfix } from "./number";

const day = new Date(2026, 2, 2, 9, 5, 7);

describe("numbers of instances", () => {
  test.each([
    [{ prefix: "LW", infix: "yyyyMMdd", length: 4 }, "LW202603020001"],
    [{ prefix: "LW-", infix: "yy/MM-", postfix: "号", length: 1 }, "LW-26/03-1号"],
    [{ infix: "SECOND", length: 3 }, "20260302090507001"],
    [{ infix: "", length: 2 }, "01"],
    [{ infix: "week", length: 2 }, ""],
    [{ infix: "yyyy" }, ""],
    [undefined, ""],
  ])("%j begins with %s", (rule, number) => {
    expect(firstNumber(rule, day)).toBe(number);
  });

  test("what the server takes", () => {
    expect(["", "yyyyMMdd", "DAY", "yyyy-MM/dd_HH.mm"].map(isInfix)).toEqual([true, true, true, true]);
    expect(["y", "day", "yyyy年", `${"yyyy".repeat(8)}`].map(isInfix)).toEqual([false, false, false, false]);
    expect(fits({ prefix: "论".repeat(20) })).toBe(true);
    expect(fits({ prefix: "论".repeat(20), postfix: "x" })).toBe(false);
  });
});
