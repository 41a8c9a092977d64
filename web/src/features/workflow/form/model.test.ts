import { describe, expect, test } from "vitest";
import { changed } from "./change";
import { copyOf, newItem } from "./create";
import { fieldOf } from "./field";
import { formCreateItems, generatorItems, houseItems } from "./fixtures";
import { palette } from "./kinds";
import { allItems, itemOf, rawOf, readItems, writeItems } from "./model";
import { insert, patch } from "./tree";

const all = [...houseItems, ...formCreateItems, ...generatorItems];
const named = (fields: string[], name: string) => {
  const found = allItems(readItems(fields)).find((item) => fieldOf(item).name === name);
  if (!found) throw new Error(name);
  return found;
};

describe("what is not touched comes back letter by letter", () => {
  test.each([
    ["house", houseItems],
    ["form-create", formCreateItems],
    ["form-generator", generatorItems],
    ["no object at all", ["not json", "[1]", "{}", '"x"']],
  ])("%s", (_, fields) => {
    expect(writeItems(readItems(fields))).toEqual(fields);
  });

  test("also beside one that is changed", () => {
    const items = readItems(all);
    const [first] = items;
    const next = patch(items, first?.key ?? "", (item) => changed(item, { label: "类别" }));
    const written = writeItems(next);
    expect(written.slice(1)).toEqual(all.slice(1));
    expect(JSON.parse(written[0] ?? "")).toEqual({ ...JSON.parse(all[0] ?? ""), title: "类别" });
  });

  test("a change inside an item leaves the rest of it as it was", () => {
    const [items, before] = [readItems(formCreateItems), JSON.parse(formCreateItems[2] ?? "")];
    const inner = allItems(items).find((item) => fieldOf(item).name === "sex");
    const written = writeItems(patch(items, inner?.key ?? "", (item) => changed(item, { label: "性" })));
    before.children[0].children[0].title = "性";
    expect(JSON.parse(written[2] ?? "")).toEqual(before);
    expect(written.filter((_, index) => index !== 2)).toEqual(
      formCreateItems.filter((_, index) => index !== 2),
    );
  });

  test("adding a column leaves the others and what stands around them", () => {
    const items = readItems(houseItems);
    const table = items[3];
    const next = insert(items, newItem("text", items), table?.key ?? "", 2);
    const { columns } = JSON.parse(writeItems(next)[3] ?? "").props;
    expect(columns.slice(0, 2)).toEqual(JSON.parse(houseItems[3] ?? "").props.columns);
    expect(columns[2]).toMatchObject({ label: "单行文本", rule: [{ type: "input", field: "text1" }] });
  });
});

describe("items of other designers are understood", () => {
  test.each([
    [houseItems, "type", { kind: "select", dict: "bpm_oa_leave_type", required: true, label: "请假类型" }],
    [houseItems, "day", { kind: "number", min: 1, max: 180 }],
    [houseItems, "reason", { kind: "textarea", maxLength: 500 }],
    [houseItems, "trips", { kind: "table", min: 1 }],
    [houseItems, "city", { kind: "text", required: true, label: "城市" }],
    [houseItems, "cost", { kind: "money", label: "费用", precision: 2 }],
    [formCreateItems, "Fa1", { kind: "text", required: true, requiredText: "请写姓名" }],
    [formCreateItems, "note", { kind: "textarea", minLength: 2, maxLength: 20 }],
    [
      formCreateItems,
      "sex",
      {
        kind: "radio",
        required: true,
        options: [
          { value: 1, label: "男" },
          { value: 2, label: "女" },
        ],
      },
    ],
    [formCreateItems, "when", { kind: "dateRange", format: "x" }],
    [formCreateItems, "sign", { kind: "unsupported", type: "signaturePad", label: "签名" }],
    [
      generatorItems,
      "mobile",
      {
        kind: "text",
        label: "手机",
        required: true,
        maxLength: 11,
        pattern: "^1\\d{10}$",
        patternText: "手机号不对",
      },
    ],
    [
      generatorItems,
      "level",
      {
        kind: "select",
        options: [
          { value: 1, label: "一级" },
          { value: 2, label: "二级" },
        ],
      },
    ],
    [generatorItems, "agree", { kind: "switch", initial: false }],
    [generatorItems, "rate", { kind: "unsupported", type: "el-rate", label: "评分" }],
  ])("%#: %s", (fields, name, meaning) => {
    expect(fieldOf(named(fields, name))).toMatchObject(meaning);
  });
});

describe("changes are written in the words of the item's designer", () => {
  test("form-create", () => {
    const note = changed(named(formCreateItems, "note"), {
      required: true,
      maxLength: 50,
      pattern: "^a",
      help: "简短",
    });
    expect(rawOf(note)).toEqual({
      type: "el-input",
      field: "note",
      title: "备注",
      info: "简短",
      $required: true,
      props: { type: "textarea", maxlength: 50 },
      validate: [{ trigger: "change", min: 2, message: "长度不对" }, { pattern: "^a" }],
    });
    expect(fieldOf(note)).toMatchObject({ minLength: 2, maxLength: 50, pattern: "^a", required: true });
    const free = changed(named(formCreateItems, "sex"), { required: false });
    expect(fieldOf(free).required).toBe(false);
  });

  test("form-generator", () => {
    const mobile = changed(named(generatorItems, "mobile"), {
      label: "电话",
      name: "phone",
      required: false,
      maxLength: 20,
      pattern: "",
    });
    expect(rawOf(mobile)).toMatchObject({
      __config__: { label: "电话", tag: "el-input", required: false, regList: [], formId: 101 },
      __vModel__: "phone",
      maxlength: 20,
    });
    expect(fieldOf(mobile)).toMatchObject({
      name: "phone",
      label: "电话",
      required: false,
      pattern: undefined,
    });
  });

  test("a dictionary makes a field of the family's own type, and back", () => {
    const kinds = changed(newItem("radio", []), { dict: "common_status" });
    expect(rawOf(kinds)).toMatchObject({
      type: "DictSelect",
      props: { dictType: "common_status", selectType: "radio" },
    });
    expect(fieldOf(kinds)).toMatchObject({ kind: "radio", dict: "common_status" });
    expect(rawOf(changed(kinds, { dict: undefined }))).toMatchObject({ type: "radio", props: {} });
  });

  test("an emptied property goes", () => {
    const bare = changed(named(houseItems, "reason"), { maxLength: undefined, placeholder: "" });
    expect(rawOf(bare)).toEqual({
      type: "textarea",
      field: "reason",
      title: "请假事由",
      $required: true,
      props: {},
    });
  });
});

describe("new items", () => {
  test.each(palette.flatMap(({ kinds }) => kinds))("%s is read back as what it was made for", (kind) => {
    const item = newItem(kind, []);
    const [read] = readItems(writeItems([item]));
    expect(read && fieldOf(read)).toMatchObject({ kind, label: expect.any(String) });
  });

  test("names are free and stay when the label changes", () => {
    const first = newItem("text", []);
    const second = newItem("text", [first]);
    expect([fieldOf(first).name, fieldOf(second).name]).toEqual(["text1", "text2"]);
    expect(fieldOf(changed(first, { label: "姓名" })).name).toBe("text1");
  });

  test("a copy has names of its own, inside as well", () => {
    const items = readItems(houseItems);
    const copy = copyOf(items[3] ?? itemOf({}), items);
    expect(allItems([copy]).map((item) => fieldOf(item).name)).toEqual(["trips1", "city1", "cost1"]);
    expect(copyOf(copy, [...items, copy]).key).not.toBe(copy.key);
  });
});
