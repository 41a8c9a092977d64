import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { createRef } from "react";
import { beforeEach, describe, expect, test } from "vitest";
import { setLanguage } from "@/kernel/i18n";
import { fillDicts, renderPage, signInAs } from "@/testing/render";
import { api, http, ok, server } from "@/testing/server";
import { changed } from "./change";
import { newItem } from "./create";
import { FormView, type FormViewHandle } from "./FormView";
import type { FieldChange } from "./field";
import { generatorItems, houseItems } from "./fixtures";
import type { NewKind } from "./kinds";
import { type Item, writeItems } from "./model";

beforeEach(() => {
  signInAs();
  fillDicts({ bpm_oa_leave_type: { 1: "病假", 2: "事假" }, words: { a: "甲", b: "乙" } });
  server.use(
    http.get(api("/system/user/list-all-simple"), () =>
      ok([
        { id: 3, nickname: "陈远" },
        { id: 4, nickname: "周明" },
      ]),
    ),
    http.get(api("/system/dept/list-all-simple"), () =>
      ok([
        { id: 10, name: "研究生院", parentId: 0 },
        { id: 11, name: "学位办", parentId: 10 },
      ]),
    ),
    http.get(api("/infra/file/get"), ({ request }) => {
      const id = Number(new URL(request.url).searchParams.get("id"));
      return ok({ id, name: `附件${id}.pdf`, size: 2048 });
    }),
  );
});

function item(kind: NewKind, change: FieldChange = {}): Item {
  return changed(newItem(kind, []), { label: "某项", name: "it", ...change });
}

type Props = Partial<React.ComponentProps<typeof FormView>>;

function show(items: Item[] | readonly string[], props: Props = {}) {
  const ref = createRef<FormViewHandle>();
  const fields = items.map((one) => (typeof one === "string" ? one : (writeItems([one])[0] ?? "")));
  const view = renderPage(<FormView ref={ref} fields={fields} {...props} />);
  const handle = () => {
    if (!ref.current) throw new Error("not mounted");
    return ref.current;
  };
  return { ...view, values: () => handle().values(), validate: () => act(() => handle().validate()) };
}

const pickOption = async (name: string | RegExp, text: string) => {
  fireEvent.mouseDown(screen.getByRole("combobox", { name }));
  const found = await screen.findAllByText(text, {
    selector: ".ant-select-item-option-content, .ant-select-tree-title",
  });
  fireEvent.click(found.at(-1) as HTMLElement);
};

function type(label: string | RegExp, text: string): void {
  const box = screen.getByLabelText(label);
  fireEvent.change(box, { target: { value: text } });
  fireEvent.blur(box);
}

/** Types into a date or time box and takes it with Enter. */
function typeDate(box: Element, text: string): void {
  fireEvent.mouseDown(box);
  fireEvent.focus(box);
  fireEvent.change(box, { target: { value: text } });
  fireEvent.keyDown(box, { key: "Enter", keyCode: 13 });
}

describe("each kind gives the value the variable wants", () => {
  test.each([
    ["text", "好", "好"],
    ["textarea", "一\n二", "一\n二"],
    ["number", "12.5", 12.5],
    ["money", "3.456", 3.46],
  ] as const)("%s", async (kind, typed, value) => {
    const form = show([item(kind)]);
    expect(form.values()).toEqual({ it: null });
    type(/某项/, typed);
    await waitFor(() => expect(form.values()).toEqual({ it: value }));
  });

  test("switch", async () => {
    const form = show([item("switch")]);
    expect(form.values()).toEqual({ it: false });
    fireEvent.click(screen.getByRole("switch", { name: /某项/ }));
    expect(form.values()).toEqual({ it: true });
  });

  test.each([
    ["date", {}, "2026-03-01", "2026-03-01"],
    ["date", { format: "x" }, "2026-03-01", new Date(2026, 2, 1).getTime()],
    ["date", { format: "yyyy/MM/dd" }, "2026-03-01", "2026/03/01"],
    ["dateTime", {}, "2026-03-01 08:30", "2026-03-01 08:30:00"],
    ["time", {}, "08:30", "08:30"],
  ] as const)("%s %o", async (kind, change, typed, value) => {
    const form = show([item(kind, change)]);
    typeDate(screen.getByLabelText(/某项/), typed);
    await waitFor(() => expect(form.values()).toEqual({ it: value }));
  });

  test("dateRange", async () => {
    const form = show([item("dateRange")]);
    const [from, to] = screen.getAllByRole("textbox");
    typeDate(from as Element, "2026-03-01");
    typeDate(to as Element, "2026-03-05");
    await waitFor(() => expect(form.values()).toEqual({ it: ["2026-03-01", "2026-03-05"] }));
  });

  test("select keeps the value its option has, by a dictionary a number", async () => {
    const options = [
      { value: 1, label: "一" },
      { value: "2", label: "二" },
    ];
    const form = show([
      item("select", { options }),
      item("select", { name: "kind", label: "类别", dict: "bpm_oa_leave_type" }),
    ]);
    await pickOption(/某项/, "二");
    await pickOption(/类别/, "事假");
    expect(form.values()).toEqual({ it: "2", kind: 2 });
  });

  test("radio and checkbox, also from a dictionary of words", () => {
    const form = show([item("radio"), item("checkbox", { name: "many", label: "几个", dict: "words" })]);
    fireEvent.click(screen.getByRole("radio", { name: "选项 2" }));
    fireEvent.click(within(screen.getByRole("group", { name: "几个" })).getByLabelText("乙"));
    expect(form.values()).toEqual({ it: "2", many: ["b"] });
  });

  test("people and departments are ids", async () => {
    const form = show([item("user", { multiple: true }), item("dept", { name: "unit", label: "单位" })]);
    await pickOption(/某项/, "周明");
    await screen.findByRole("combobox", { name: /单位/ });
    await waitFor(() =>
      expect(screen.getByRole("combobox", { name: /单位/ })).toHaveProperty("disabled", false),
    );
    await pickOption(/单位/, "学位办");
    expect(form.values()).toEqual({ it: [4], unit: 11 });
  });

  test("files are ids", async () => {
    const sent: string[] = [];
    server.use(
      http.post(api("/infra/file/upload-begin"), async ({ request }) => {
        sent.push(((await request.json()) as { slot: string }).slot);
        return ok({ uploadId: "u1", offset: 0 });
      }),
      http.put(api("/infra/file/upload-chunk"), () => ok({ offset: 4 })),
      http.post(api("/infra/file/upload-finish"), () => ok({ id: 77, name: "证明.pdf", size: 4 })),
    );
    const form = show([item("file", { limit: 2 })]);
    const input = document.querySelector("input[type=file]") as HTMLInputElement;
    fireEvent.change(input, { target: { files: [new File(["%PDF"], "证明.pdf")] } });
    await screen.findByText("证明.pdf");
    await waitFor(() => expect(form.values()).toEqual({ it: [77] }));
    expect(sent).toEqual(["document"]);
  });

  test("a table is a list of rows that are added, moved and removed", async () => {
    const form = show(houseItems.slice(3));
    type("城市，第 1 行", "上海");
    fireEvent.click(screen.getByRole("button", { name: "添加一行：行程" }));
    type("城市，第 2 行", "北京");
    type("费用，第 2 行", "99.5");
    fireEvent.click(screen.getByRole("button", { name: "上移第 2 行（行程）" }));
    await waitFor(() =>
      expect(form.values()).toEqual({ trips: [{ city: "北京", cost: 99.5 }, { city: "上海" }] }),
    );
    fireEvent.click(screen.getByRole("button", { name: "删除第 1 行（行程）" }));
    await waitFor(() => expect(form.values()).toEqual({ trips: [{ city: "上海" }] }));
    fireEvent.click(screen.getByRole("button", { name: "删除第 1 行（行程）" }));
    expect(await form.validate()).toBeNull();
    await screen.findByText("行程至少需要 1 行");
  });

  test("a narrow table shows rows as cards with labels", () => {
    show(houseItems.slice(3), { narrow: true });
    const card = screen.getByRole("region", { name: "第 1 行" });
    within(card).getByText("城市 *");
    within(card).getByLabelText("费用，第 1 行");
    expect(screen.queryByRole("table")).toBeNull();
  });

  test("what was read goes back, and older designs are filled in as well", async () => {
    const form = show(generatorItems, { values: { mobile: "13800000000", level: "2", agree: true } });
    expect(screen.getByLabelText(/手机/)).toHaveProperty("value", "13800000000");
    screen.getByText("二级");
    screen.getByText("「评分」在这里不能填写：不支持表单项类型 el-rate");
    type(/手机/, "2");
    await screen.findByText("手机号不对");
    expect(form.values()).toEqual({ mobile: "2", level: "2", agree: true });
  });

  test("layout: groups, headings and descriptions", () => {
    const group = { ...newItem("group", []), children: [item("text")] };
    const text = changed(newItem("description", []), { content: "<b>说明</b>" });
    show([changed(group, { label: "基本情况" }), changed(newItem("divider", []), { label: "其他" }), text]);
    within(screen.getByRole("group", { name: "基本情况" })).getByLabelText(/某项/);
    screen.getByRole("heading", { name: "其他" });
    // What SafeHtml takes away is tested with it.
    expect(screen.getByText("说明").closest(".viva-html")).not.toBeNull();
  });
});

describe("permissions", () => {
  const three = () => [
    item("text", { name: "a", label: "甲" }),
    item("text", { name: "b", label: "乙" }),
    item("text", { name: "c", label: "丙", required: true }),
  ];
  const given = { a: "一", b: "二", c: "三" };

  test("read, write and hidden; only what may be written is given back", async () => {
    const form = show(three(), { values: given, permissions: { a: 1, b: "2", c: 3 } });
    screen.getByText("一");
    expect(screen.queryByLabelText(/甲/)).toBeNull();
    expect(screen.getByLabelText(/乙/)).toHaveProperty("value", "二");
    expect(document.body.textContent).not.toContain("丙");
    expect(document.body.innerHTML).not.toContain("三");
    expect(form.values()).toEqual({ b: "二" });
    // The hidden one is required: what is not seen is not asked for.
    expect(await form.validate()).toEqual({ b: "二" });
  });

  test("what the permissions leave out is read, or what the page says", () => {
    const form = show(three(), { values: given, permissions: { b: 2 } });
    expect(form.values()).toEqual({ b: "二" });
    form.unmount();
    const other = show(three(), { values: given, permissions: { b: 3 }, unlisted: "write" });
    expect(other.values()).toEqual({ a: "一", c: "三" });
  });

  test("read only: no control at all, every kind in words", async () => {
    const items = [
      ...three().slice(0, 1),
      item("money", { name: "m", label: "金额" }),
      item("switch", { name: "s", label: "开关" }),
      item("dateTime", { name: "d", label: "时刻" }),
      item("dateRange", { name: "r", label: "区间" }),
      item("select", { name: "k", label: "类别", dict: "bpm_oa_leave_type" }),
      item("user", { name: "u", label: "人员", multiple: true }),
      item("file", { name: "f", label: "附件", limit: 3 }),
      item("text", { name: "n", label: "空的" }),
    ];
    const values = {
      a: "一",
      m: 1234.5,
      s: true,
      d: new Date(2026, 2, 1, 8, 30).getTime(),
      r: ["2026-03-01", "2026-03-05"],
      k: "1",
      u: [3, 4],
      f: [77],
      trips: [{ city: "上海", cost: 5 }],
    };
    const fields = [...writeItems(items), houseItems[3] ?? ""];
    const form = show(fields, { values, readOnly: true });
    for (const text of ["¥ 1,234.50", "是", "2026-03-01 08:30", "2026-03-01 至 2026-03-05", "病假", "未填写"])
      screen.getByText(text);
    await screen.findByText("陈远、周明");
    await screen.findByText(/附件77\.pdf/);
    within(screen.getByRole("table", { name: "行程" })).getByText("¥ 5.00");
    expect(document.querySelectorAll(".form-view :is(input, textarea, select, [role=switch])")).toHaveLength(
      0,
    );
    expect(form.values()).toEqual({});
  });
});

describe("validation", () => {
  const cases: [string, Item, string | null, string][] = [
    ["required text", item("text", { required: true }), null, "请填写某项"],
    ["blanks are no text", item("text", { required: true }), "  ", "请填写某项"],
    ["too short", item("text", { minLength: 3 }), "ab", "某项不能少于 3 个字符"],
    ["pattern", item("text", { pattern: "^\\d+$", patternText: "只能是数字" }), "x", "只能是数字"],
    ["pattern without words", item("text", { pattern: "^\\d+$" }), "x", "某项的格式不正确"],
    ["too small", item("number", { min: 1 }), "0", "某项不能小于 1"],
    ["too great", item("number", { max: 5 }), "6", "某项不能大于 5"],
  ];

  test.each(cases)("%s", async (_, field, typed, message) => {
    const form = show([field]);
    if (typed !== null) type(/某项/, typed);
    expect(await form.validate()).toBeNull();
    await screen.findByText(message);
    await screen.findByText(/有 1 处需要修改|1/, { selector: ".form-view .ant-alert-title" });
  });

  test.each(["select", "radio", "checkbox", "date", "user", "file", "dateRange"] as const)(
    "required %s",
    async (kind) => {
      const form = show([item(kind, { required: true })]);
      expect(await form.validate()).toBeNull();
      await screen.findByText("请选择某项");
    },
  );

  test("nothing is said while typing; a blur says it", async () => {
    show([item("text", { minLength: 3 })]);
    const box = screen.getByLabelText(/某项/);
    fireEvent.change(box, { target: { value: "a" } });
    expect(screen.queryByText("某项不能少于 3 个字符")).toBeNull();
    fireEvent.blur(box);
    await screen.findByText("某项不能少于 3 个字符");
  });

  test("cells of a table, with the count of what is missing and the focus on it", async () => {
    const form = show(houseItems.slice(2));
    expect(await form.validate()).toBeNull();
    await screen.findByText("请填写城市");
    await screen.findByText(/请假事由、行程/);
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText(/请假事由/)));
    type(/请假事由/, "病了");
    type("城市，第 1 行", "上海");
    expect(await form.validate()).toEqual({ reason: "病了", trips: [{ city: "上海" }] });
    expect(screen.queryByRole("alert")).toBeNull();
  });

  test("in English", async () => {
    await act(() => setLanguage("en"));
    try {
      const form = show([item("number", { label: "Days", min: 1 })]);
      type(/Days/, "0");
      expect(await form.validate()).toBeNull();
      await screen.findByText("Days may not be less than 1");
    } finally {
      await act(() => setLanguage("zh-CN"));
    }
  });

  test("an expression that cannot be read refuses nobody", async () => {
    const form = show([item("text", { pattern: "(" })]);
    type(/某项/, "x");
    expect(await form.validate()).toEqual({ it: "x" });
  });
});

test("typing into one of 200 items draws only that one anew", async () => {
  const kinds: NewKind[] = ["text", "number", "select", "date", "radio"];
  const many = Array.from({ length: 200 }, (_, i) =>
    item(kinds[i % 5] ?? "text", { name: `f${i}`, label: `第${i}项` }),
  );
  const form = show(many);
  const others = [...document.querySelectorAll(".ant-form-item")].slice(1);
  const seen: MutationRecord[] = [];
  const watch = new MutationObserver((records) => seen.push(...records));
  for (const other of others) watch.observe(other, { subtree: true, childList: true, attributes: true });
  type("第0项（选填）", "快");
  await waitFor(() => expect(form.values().f0).toBe("快"));
  expect(Object.keys(form.values())).toHaveLength(200);
  expect(seen).toEqual([]);
  watch.disconnect();
});
