import { describe, expect, it } from "vitest";
import { clampPosition, pointText, toPicture } from "./answer";

describe("puzzle position", () => {
  it("is told in pixels of a 310 px wide picture", () => {
    expect(toPicture(200, 400)).toBe(155);
    expect(toPicture(100, 310)).toBe(100);
    expect(toPicture(100, 0)).toBe(0);
  });

  it("stays inside the picture", () => {
    expect(clampPosition(-3)).toBe(0);
    expect(clampPosition(400)).toBe(263);
    expect(clampPosition(120.5)).toBe(120.5);
  });

  it("is written exactly as the contract writes it", () => {
    expect(pointText(123.5)).toBe('{"x":123.5,"y":5}');
    expect(pointText(100)).toBe('{"x":100,"y":5}');
    expect(pointText(33.333333)).toBe('{"x":33.33,"y":5}');
  });
});
