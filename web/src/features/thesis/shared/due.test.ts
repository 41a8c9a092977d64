import { describe, expect, test } from "vitest";
import { dueOf, waitingOf } from "./due";
import { DAY, NOW } from "./fixture";

const HOUR = 3_600_000;

describe("a deadline", () => {
  test.each([
    ["none", 0, "none", 0, "day"],
    ["far", NOW + 9 * DAY + HOUR, "far", 9, "day"],
    ["near", NOW + 2 * DAY, "near", 2, "day"],
    ["hours", NOW + 5 * HOUR + 1, "near", 5, "hour"],
    ["minutes", NOW + 90_000, "near", 1, "minute"],
    ["just over", NOW - 1, "over", 1, "minute"],
    ["long over", NOW - 3 * DAY, "over", 3, "day"],
  ])("%s", (_name, at, state, count, unit) => {
    expect(dueOf(at, NOW)).toMatchObject({ state, count, unit });
  });
});

test("waiting is counted in hours on the first day and never negative", () => {
  expect(waitingOf(NOW - 5 * HOUR, NOW)).toEqual({ count: 5, unit: "hour" });
  expect(waitingOf(NOW - 8 * DAY, NOW)).toEqual({ count: 8, unit: "day" });
  expect(waitingOf(NOW + DAY, NOW)).toEqual({ count: 0, unit: "hour" });
});
