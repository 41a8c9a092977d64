import { describe, expect, test } from "vitest";
import type { Field } from "./entity";
import { filterQuery, pageQuery, readListState, writeListState } from "./listState";

function field(name: string, part: Partial<Field>): Field {
  return { name, label: name, labelEn: name, kind: "text", ...part };
}

const fields = [
  field("name", { filter: "like", sortable: true }),
  field("status", { kind: "dict", filter: "eq" }),
  field("createTime", { kind: "time", filter: "range", sortable: true }),
  field("price", { kind: "money", filter: "range" }),
  field("day", { kind: "date", filter: "range" }),
  field("remark", {}),
];

function read(address: string) {
  return readListState(new URLSearchParams(address), fields);
}

describe("reading the address", () => {
  test("defaults", () => {
    expect(read("")).toEqual({ filters: {}, pageNo: 1, pageSize: 20, sort: null });
  });
  test("filters, page and order", () => {
    expect(read("name=甲&createTime=2026-01-01~2026-01-31&pageNo=3&pageSize=50&sort=name.desc")).toEqual({
      filters: { name: "甲", createTime: ["2026-01-01", "2026-01-31"] },
      pageNo: 3,
      pageSize: 50,
      sort: { field: "name", order: "desc" },
    });
  });
  test.each([
    ["a size that is not offered", "pageSize=7"],
    ["a page below one", "pageNo=-2"],
    ["no number", "pageNo=x&pageSize=y"],
    ["a field that is no filter", "remark=x&evil=1"],
    ["an order by a field that cannot be sorted", "sort=status.asc"],
    ["an unknown order", "sort=name.sideways"],
    ["half a range", "createTime=2026-01-01"],
  ])("%s is left out", (_name, address) => {
    expect(read(address)).toEqual({ filters: {}, pageNo: 1, pageSize: 20, sort: null });
  });
});

test("writing keeps foreign parameters, leaves defaults out and reads back the same", () => {
  const state = read("name=甲&status=0&price=1~&pageNo=2&sort=createTime.asc");
  const written = writeListState(new URLSearchParams("tab=2&name=old"), state, fields);
  expect(written.get("tab")).toBe("2");
  expect(written.has("pageSize")).toBe(false);
  expect(readListState(written, fields)).toEqual(state);
});

test("the query has trimmed text, whole days, cents and the order", () => {
  const state = read("name=%20甲%20&status=0&createTime=2026-01-01~2026-01-31&price=1.5~&sort=name.desc");
  expect(pageQuery(state, fields)).toEqual({
    pageNo: 1,
    pageSize: 20,
    name: "甲",
    status: "0",
    "createTime[0]": "2026-01-01 00:00:00",
    "createTime[1]": "2026-01-31 23:59:59",
    "price[0]": "150",
    "sortingFields[0].field": "name",
    "sortingFields[0].order": "desc",
  });
});

test("a range without a start gets one, because a lone value is read as the start", () => {
  expect(filterQuery(read("createTime=~2026-01-31&day=~2026-02-01&price=~2").filters, fields)).toEqual({
    "createTime[0]": "1970-01-01 00:00:00",
    "createTime[1]": "2026-01-31 23:59:59",
    "day[0]": "1000-01-01",
    "day[1]": "2026-02-01",
    "price[0]": "-9007199254740991",
    "price[1]": "200",
  });
});

test("half typed numbers filter nothing yet", () => {
  const count = field("count", { kind: "int", filter: "eq" });
  expect(filterQuery({ count: "-" }, [count])).toEqual({});
  expect(filterQuery({ count: "-3" }, [count])).toEqual({ count: "-3" });
  expect(filterQuery({ price: ["-", "5"] }, fields)).toEqual({});
});
