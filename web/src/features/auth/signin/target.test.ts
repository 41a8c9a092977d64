import { describe, expect, it } from "vitest";
import { safeTarget } from "./target";

describe("page after sign-in", () => {
  it.each([
    ["/system/user?pageNo=2", "/system/user?pageNo=2"],
    [null, "/"],
    ["", "/"],
    ["https://evil.example", "/"],
    ["//evil.example", "/"],
    ["/\\evil.example", "/"],
    ["javascript:alert(1)", "/"],
    ["/login", "/"],
    ["/studentLogin?redirect=%2F", "/"],
    ["/404", "/"],
    ["/loginHistory", "/loginHistory"],
  ])("%j leads to %s", (wanted, expected) => {
    expect(safeTarget(wanted)).toBe(expected);
  });
});
