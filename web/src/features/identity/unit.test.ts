import { describe, expect, test } from "vitest";
import { deviceOf } from "./session/types";
import { passwordFaults, passwordScore, randomPassword } from "./shared/strength";
import { above, below, indexTree, type MarkRules, markNode, matching } from "./tree/marks";

// 1 ─ 2 ─ 3, 4   and   5 ─ 6
const items = [
  { id: 1, name: "系统", parentId: 0 },
  { id: 2, name: "用户", parentId: 1 },
  { id: 3, name: "新增", parentId: 2 },
  { id: 4, name: "删除", parentId: 2 },
  { id: 5, name: "论文", parentId: 99 },
  { id: 6, name: "选题", parentId: 5 },
];
const index = indexTree(items);

describe("a tree of marks", () => {
  test("knows what is above and below; an unknown parent is the top", () => {
    expect(below(index, 1)).toEqual([2, 3, 4]);
    expect(above(index, 4)).toEqual([2, 1]);
    expect(index.children.get(0)).toEqual([1, 5]);
  });

  const rules = (part: Partial<MarkRules> = {}): MarkRules => ({
    linked: true,
    needsAbove: true,
    locked: new Set<number>(),
    ...part,
  });
  test.each([
    ["ticking takes those below and above along", [], 2, rules(), [1, 2, 3, 4]],
    ["unlinked ticking takes only those above along", [], 2, rules({ linked: false }), [1, 2]],
    ["plain trees leave those above alone", [], 2, rules({ needsAbove: false }), [2, 3, 4]],
    ["unticking takes those below along, not those above", [1, 2, 3, 4], 2, rules(), [1]],
    ["a page stays while its last button is unticked", [1, 2, 3], 3, rules(), [1, 2]],
    ["locked nodes are not ticked", [], 2, rules({ locked: new Set([4]) }), [1, 2, 3]],
    [
      "locked nodes keep their mark, and what they stand under",
      [1, 2, 3, 4],
      1,
      rules({ locked: new Set([4]) }),
      [1, 2, 4],
    ],
    [
      "without needing those above, those below stay",
      [2, 3],
      2,
      rules({ linked: false, needsAbove: false }),
      [3],
    ],
  ])("%s", (_name, before, id, how, after) => {
    expect([...markNode(index, new Set(before), id, how)].sort()).toEqual(after);
  });

  test("a search keeps the way to what it finds", () => {
    expect([...matching(items, index, "删")].sort()).toEqual([1, 2, 4]);
    expect(matching(items, index, "没有").size).toBe(0);
  });
});

describe("passwords", () => {
  test.each([
    ["abc", "zhangsan", ["length", "pattern"]],
    ["zhangsan2026", "zhangsan", ["username"]],
    ["abababab", "", ["pattern"]],
    ["12345678", "", ["pattern"]],
    ["qwertyuiop", "", ["pattern"]],
    ["青山绿水长流", "", ["length"]],
    ["河畔的纸船与灯", "", ["length"]],
    ["correct horse", "zhangsan", []],
    ["Abc", "abc", ["length", "username", "pattern"]],
    ["xk9", "ab", ["length"]],
    ["a".repeat(65), "", ["length", "pattern"]],
  ])("%s of %s: %j", (password, username, faults) => {
    expect(passwordFaults(password, username)).toEqual(faults);
  });

  test("longer and more varied ones score higher", () => {
    const scores = ["short", "letmein1", "Letmein1x", "correct horse battery staple"];
    expect(scores.map((password) => passwordScore(password, "u"))).toEqual([0, 1, 2, 3]);
  });

  test("random ones are strong, different, and without look-alikes", () => {
    const list = Array.from({ length: 50 }, () => randomPassword());
    expect(new Set(list).size).toBe(50);
    for (const password of list) {
      expect(password).toMatch(/^[A-HJ-NP-Za-km-z2-9]{14}$/);
      expect(passwordFaults(password, "admin")).toEqual([]);
    }
  });
});

describe("devices", () => {
  test.each([
    [
      "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0",
      { browser: "Edge 140", system: "Windows", phone: false },
    ],
    [
      "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1",
      { browser: "Safari 18", system: "iOS", phone: true },
    ],
    [
      "Mozilla/5.0 (Linux; Android 15; V2) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Mobile Safari/537.36 MicroMessenger/8.0",
      { browser: "WeChat 8", system: "Android", phone: true },
    ],
    ["curl/8.5.0", { browser: "", system: "", phone: false }],
  ])("%s", (agent, device) => expect(deviceOf(agent)).toEqual(device));
});
