import { describe, expect, test } from "vitest";
import {
  addDateRange,
  buildTree,
  divide,
  isDecimal0To100,
  isEmail,
  isExternalLink,
  isInteger0To100,
  isLetters,
  isLowerCase,
  isPositiveInteger,
  isUpperCase,
  isUrl,
  isValidUsername,
  randomId,
  relativeTime,
  startDefault,
  stripTags,
  toMillis,
  walkTree,
  yearList,
} from ".";

type Check = (value: never) => boolean;

const checks: [string, Check, unknown[], unknown[]][] = [
  [
    "decimal 0-100",
    isDecimal0To100,
    [0, "0.5", "99.99", 100, "100.00", "", null, undefined],
    ["100.01", "1.234", "-1", "01", "a", "1."],
  ],
  ["integer 0-100", isInteger0To100, [0, 7, "100", "", null], [101, "1.0", "-1", "007"]],
  ["positive integer", isPositiveInteger, [1, "20", "", undefined], [0, "-3", "1.5", "x"]],
  [
    "external link",
    isExternalLink,
    ["http://a", "https://a.b", "mailto:a@b", "tel:110"],
    ["/a", "ftp://a", "a.b"],
  ],
  [
    "url",
    isUrl,
    ["https://a.cn/x?y=1", "http://localhost:8080", "http://127.0.0.1/"],
    ["a.cn", "http://", "https://a b.cn", "javascript:x"],
  ],
  ["email", isEmail, ["a@b.cn", "x.y-z@mail.example.edu.cn"], ["a@b", "@b.cn", "a b@c.cn", "a@@b.cn"]],
  ["lower case", isLowerCase, ["abc"], ["Abc", "", "a1"]],
  ["upper case", isUpperCase, ["ABC"], ["Abc", ""]],
  ["letters", isLetters, ["aB"], ["a1", "", "论文"]],
  ["username", isValidUsername, ["admin", " editor "], ["root", ""]],
];

describe.each(checks)("%s", (_name, check, good, bad) => {
  test.each(good)("%j passes", (value) => expect(check(value as never)).toBe(true));
  test.each(bad)("%j fails", (value) => expect(check(value as never)).toBe(false));
});

describe("relative time", () => {
  const now = new Date(2026, 10, 21, 14, 2).getTime();
  const second = 1000;
  const cases: [number, string][] = [
    [29 * second, "刚刚"],
    [30 * second, "1分钟前"],
    [3 * 60 * second, "3分钟前"],
    [59.5 * 60 * second, "60分钟前"],
    [2 * 3600 * second, "2小时前"],
    [25 * 3600 * second, "1天前"],
    [48 * 3600 * second, "2026-11-19 14:02"],
    [-60 * second, "2026-11-21 14:03"],
  ];
  test.each(cases)("%d ms ago is %s", (gap, text) => expect(relativeTime(now - gap, now)).toBe(text));
  test("ten digits are seconds", () => {
    expect(toMillis(1700000000)).toBe(1700000000000);
    expect(toMillis("1700000000")).toBe(1700000000000);
    expect(toMillis(1700000000000)).toBe(1700000000000);
  });
});

test("date ranges end at the last second", () => {
  expect(addDateRange({ a: 1 }, ["2026-01-01", "2026-01-31"])).toEqual({
    a: 1,
    "createTime[0]": "2026-01-01 00:00:00",
    "createTime[1]": "2026-01-31 23:59:59",
  });
  expect(addDateRange({ a: 1 }, null)).toEqual({ a: 1 });
});

test("years run from 2023 four years ahead", () => {
  const years = yearList(new Date(2026, 5, 1));
  expect(years[0]).toBe(2023);
  expect(years.at(-1)).toBe(2030);
  expect(years).toHaveLength(8);
});

test("the default start is 90 days back", () => {
  expect(startDefault(90, new Date(2026, 10, 21, 14))).toBe("2026-08-23 00:00:00");
});

test("divide floors to two decimals and knows no division by zero", () => {
  expect(divide(2, 3)).toBe(0.66);
  expect(divide(10, 4)).toBe(2.5);
  expect(divide(1, 0)).toBeNull();
});

const quotients: [number, number, number][] = [
  [4.35, 1, 4.35],
  [1.15, 1, 1.15],
  [0.29, 1, 0.29],
  [0.3, 0.1, 3],
  [8.2, 2, 4.1],
  [1.999, 1, 1.99],
  [-1, 3, -0.34],
  [1, -3, -0.34],
  [-4.35, -1, 4.35],
  [-0.5, 1, -0.5],
  [0, 7, 0],
  [1e21, 1e20, 10],
  [1e-7, 1e-8, 10],
  [1e-7, 1, 0],
  [Number.POSITIVE_INFINITY, 2, Number.POSITIVE_INFINITY],
];
test.each(quotients)("%d / %d floors to %d", (a, b, want) => expect(divide(a, b)).toBe(want));

test("a quotient of two decimals divides back to itself", () => {
  for (let cents = -2000; cents <= 2000; cents += 7) expect(divide(cents / 100, 1)).toBe(cents / 100);
});

test("random ids have eight letters or digits and differ", () => {
  expect(randomId()).toMatch(/^[A-Za-z0-9]{8}$/);
  expect(new Set(Array.from({ length: 50 }, () => randomId(12))).size).toBe(50);
});

test("titles lose their tags", () => {
  expect(stripTags("<b>论文</b><br/>系统")).toBe("论文系统");
});

describe("trees", () => {
  const rows = [
    { id: 3, parentId: 2, name: "c" },
    { id: 1, parentId: 0, name: "a" },
    { id: 2, parentId: 1, name: "b" },
    { id: 9, parentId: 77, name: "orphan" },
  ];
  test("are built in any order; rows without a known parent are roots", () => {
    const tree = buildTree(rows);
    expect(tree.map((node) => node.name)).toEqual(["a", "orphan"]);
    expect(tree[0]?.children?.[0]?.children?.[0]?.name).toBe("c");
    expect(tree[1]).not.toHaveProperty("children");
    expect(rows[1]).not.toHaveProperty("children");
  });
  test("may use other field names", () => {
    const tree = buildTree([{ key: 1 }, { key: 2, up: 1 }], { id: "key", parentId: "up", children: "kids" });
    expect(tree).toEqual([{ key: 1, kids: [{ key: 2, up: 1 }] }]);
  });
  test("are walked parents first", () => {
    const seen: string[] = [];
    walkTree(buildTree(rows), (node, parents) => seen.push(parents.map((p) => p.name).join("") + node.name));
    expect(seen).toEqual(["a", "ab", "abc", "orphan"]);
  });
});
