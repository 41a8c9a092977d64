import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { hasUnsaved } from "@/kernel/ui";
import { fillDicts, renderPage, signInAs } from "@/testing/render";
import { api, failure, http, ok, server } from "@/testing/server";
import EditorPage from "./EditorPage";
import { formCreateItems, houseItems } from "./fixtures";
import { MAX_FILE } from "./formDesign";

const conf = '{"form":{"labelPosition":"top"},"own":1.0}';
let stored: { id: number; version: number; name: string; conf: string; fields: string[] };
let sent: { version: number; conf: string; fields: string[] }[];

beforeEach(() => {
  signInAs();
  fillDicts({ bpm_oa_leave_type: { 1: "病假", 2: "事假" }, common_status: { 0: "开启" } });
  stored = { id: 5, version: 3, name: "请假", conf, fields: [] };
  sent = [];
  server.use(
    http.get(api("/bpm/form/get"), () => ok({ ...stored, status: 0, remark: "", createTime: 0 })),
    http.put(api("/bpm/form/update"), async ({ request }) => {
      const body = (await request.json()) as (typeof sent)[number];
      sent.push(body);
      stored = { ...stored, conf: body.conf, fields: body.fields, version: stored.version + 1 };
      return ok(true);
    }),
    http.get(api("/system/dict-type/list-all-simple"), () =>
      ok([{ id: 1, name: "请假类型", type: "bpm_oa_leave_type" }]),
    ),
  );
});

async function open(fields: string[] = []) {
  stored.fields = fields;
  const view = renderPage(<EditorPage />, "/bpm/manager/form/edit?id=5");
  await screen.findByRole("heading", { name: "设计表单：请假" });
  return view;
}

const press = (name: string | RegExp) => fireEvent.click(screen.getByRole("button", { name }));
const canvas = () => screen.getByRole("region", { name: "表单内容" });
const properties = () => within(screen.getByRole("complementary", { name: "属性" }));
/** The items in their order, with their kinds. */
const shown = () =>
  within(canvas())
    .queryAllByRole("button", { name: /^选中：/ })
    .map((button) => button.getAttribute("aria-label")?.slice(3));
const pick = (name: string) => within(canvas()).getByRole("button", { name: new RegExp(`^选中：${name}`) });
const set = (label: string | RegExp, text: string) =>
  fireEvent.change(properties().getByLabelText(label), { target: { value: text } });
const lastFields = () => (sent.at(-1)?.fields ?? []).map((text) => JSON.parse(text));
const save = async (times = 1) => {
  press("保存表单");
  await waitFor(() => expect(sent).toHaveLength(times));
};

describe("without dragging", () => {
  test("an empty form says how to begin; what is added is selected, set up and saved", async () => {
    await open();
    screen.getByText("表单还是空的");
    press("添加单行文本");
    expect(shown()).toEqual(["单行文本（单行文本）"]);
    expect(pick("单行文本").getAttribute("aria-pressed")).toBe("true");
    set("标题", "姓名");
    set("最多字数", "20");
    fireEvent.click(properties().getByRole("switch", { name: "必填" }));
    expect(properties().getByLabelText("字段名")).toHaveProperty("value", "text1");
    await save();
    expect(sent[0]).toMatchObject({ id: 5, version: 3, conf });
    expect(lastFields()).toEqual([
      { type: "input", field: "text1", title: "姓名", info: "", $required: true, props: { maxlength: 20 } },
    ]);
    await screen.findByText("已保存表单「请假」");
    await waitFor(() => screen.getByText("没有未保存的修改"));
    // The next save goes with the version the first one made.
    set("标题", "称呼");
    await save(2);
    expect(sent[1]?.version).toBe(4);
  });

  test("move, duplicate and delete by buttons", async () => {
    await open(houseItems.slice(0, 3));
    fireEvent.click(pick("请假事由"));
    press("上移 请假事由");
    expect(shown().map((name) => name?.slice(0, 4))).toEqual(["请假类型", "请假事由", "请假天数"]);
    press("复制 请假事由");
    press("下移 请假事由");
    press("删除 请假事由");
    expect(shown().map((name) => name?.slice(0, 4))).toEqual(["请假类型", "请假事由", "请假天数"]);
    await save();
    expect(sent[0]?.fields).toEqual([houseItems[0], houseItems[2], houseItems[1]]);
  });

  test("the same by keys, with undo and redo", async () => {
    await open(houseItems.slice(0, 3));
    const key = (name: string, init: object) => fireEvent.keyDown(pick(name), init);
    key("请假类型", { key: "ArrowDown", altKey: true });
    expect(shown()[1]).toMatch(/^请假类型/);
    key("请假类型", { key: "d", ctrlKey: true });
    expect(shown()).toHaveLength(4);
    key("请假天数", { key: "Delete" });
    expect(shown()).toHaveLength(3);
    for (const [init, total] of [
      [{ key: "z", ctrlKey: true }, 4],
      [{ key: "z", ctrlKey: true }, 3],
      [{ key: "Z", ctrlKey: true, shiftKey: true }, 4],
      [{ key: "z", metaKey: true }, 3],
      [{ key: "z", ctrlKey: true }, 3],
    ] as const) {
      fireEvent.keyDown(document.body, init);
      expect(shown()).toHaveLength(total);
    }
    expect(shown()[0]).toMatch(/^请假类型/);
    // Back where it began nothing is unsaved.
    screen.getByText("没有未保存的修改");
    expect(hasUnsaved("/bpm/manager/form/edit")).toBe(false);
  });

  test("the focus stays with what is selected", async () => {
    await open(houseItems.slice(0, 3));
    act(() => pick("请假天数").focus());
    fireEvent.keyDown(pick("请假天数"), { key: "ArrowUp", altKey: true });
    expect(document.activeElement).toBe(pick("请假天数"));
    fireEvent.keyDown(pick("请假天数"), { key: "Delete" });
    await waitFor(() => expect(document.activeElement).toBe(pick("请假类型")));
  });

  test("typing into a property is one step, and its own undo stays the browser's", async () => {
    await open(houseItems.slice(0, 1));
    fireEvent.click(pick("请假类型"));
    for (const text of ["请", "请假", "请假种类"]) set("标题", text);
    fireEvent.keyDown(properties().getByLabelText("标题"), { key: "z", ctrlKey: true });
    expect(shown()).toEqual(["请假种类（下拉选择）"]);
    press("撤销");
    expect(shown()).toEqual(["请假类型（下拉选择）"]);
    press("重做");
    expect(shown()).toEqual(["请假种类（下拉选择）"]);
  });

  test("into a group, into a table, and what may not stand there goes behind it", async () => {
    await open();
    press("添加明细表");
    press("添加数字");
    fireEvent.click(pick("明细表"));
    press("添加分割线");
    press("添加分组");
    press("添加日期");
    await save();
    const [table, divider, group] = lastFields();
    expect(table.props.columns).toMatchObject([{ label: "数字", rule: [{ field: "number1" }] }]);
    expect(divider).toMatchObject({ type: "elDivider", children: ["分割线"] });
    expect(group.children).toMatchObject([{ field: "date1" }]);
  });
});

describe("properties", () => {
  test("options of its own and from a dictionary", async () => {
    await open();
    press("添加下拉选择");
    set("选项 1 的文字", "甲");
    set("选项 2 的值", "b");
    press("添加选项");
    press("上移选项 3");
    await save();
    expect(lastFields()[0].options).toEqual([
      { value: "1", label: "甲" },
      { value: "3", label: "选项 3" },
      { value: "b", label: "选项 2" },
    ]);
    fireEvent.click(properties().getByText("数据字典"));
    fireEvent.mouseDown(await properties().findByRole("combobox", { name: "字典类型" }));
    fireEvent.click(await screen.findByText("请假类型（bpm_oa_leave_type）"));
    await save(2);
    expect(lastFields()[0]).toMatchObject({ type: "DictSelect", props: { dictType: "bpm_oa_leave_type" } });
  });

  test("an item of another designer is shown, moved and kept, not changed", async () => {
    await open(formCreateItems);
    fireEvent.click(pick("签名"));
    properties().getByText(/来自其他设计器/);
    expect(properties().queryByLabelText("标题")).toBeNull();
    press("上移 签名");
    await save();
    expect(sent[0]?.fields).toEqual([...formCreateItems.slice(0, 3), formCreateItems[4], formCreateItems[3]]);
  });
});

describe("what has to be mended", () => {
  test("two fields of one name are refused before anything is sent", async () => {
    await open(['{"type":"input","field":"a","title":"甲"}', '{"type":"input","field":"a","title":"乙"}']);
    press("保存表单");
    const alert = await screen.findByRole("alert");
    within(alert).getByText("有 1 处问题，修改后才能保存");
    fireEvent.click(within(alert).getByText("表单项“甲”与“乙”使用了相同的字段名 a，请修改其中一个"));
    expect(pick("乙").getAttribute("aria-pressed")).toBe("true");
    expect(sent).toEqual([]);
    set("字段名", "b");
    await save();
    expect(lastFields().map((item) => item.field)).toEqual(["a", "b"]);
  });

  test.each([
    ["字段名", "1x", /应以字母或下划线开头/],
    ["字段名", "", /没有字段名/],
    ["字段名", "initiator", /由流程引擎使用/],
    ["标题", " ", /没有标题/],
    ["格式（正则表达式）", "(", /不是正确的正则表达式/],
  ])("%s %j", async (label, text, reason) => {
    await open();
    press("添加单行文本");
    set(label, text);
    properties().getByText(reason);
    press("保存表单");
    await screen.findByText("有 1 处问题，修改后才能保存");
    expect(sent).toEqual([]);
  });

  test("the server's refusal stands above the form", async () => {
    await open(houseItems.slice(0, 1));
    server.use(
      http.put(api("/bpm/form/update"), () => failure(400, "表单内容过大，上限 256 KB，现在 300 KB")),
    );
    fireEvent.click(pick("请假类型"));
    set("标题", "类别");
    press("保存表单");
    expect((await screen.findByRole("alert")).textContent).toContain("表单内容过大");
    screen.getByText(/未保存|自动保存/);
  });
});

describe("somebody else saved first", () => {
  const conflict = async () => {
    await open(houseItems.slice(0, 1));
    fireEvent.click(pick("请假类型"));
    set("标题", "我的");
    stored = { ...stored, version: 9, fields: ['{"type":"input","field":"x","title":"别人的"}'] };
    server.use(
      http.put(api("/bpm/form/update"), () => failure(1070000002, "记录已被他人修改"), { once: true }),
    );
    press("保存表单");
    return within(await screen.findByRole("dialog"));
  };

  test("the newest content is loaded, and saved with its version", async () => {
    const dialog = await conflict();
    fireEvent.click(dialog.getByRole("button", { name: "载入最新内容" }));
    await waitFor(() => expect(shown()).toEqual(["别人的（单行文本）"]));
    fireEvent.click(pick("别人的"));
    set("标题", "一起的");
    await save();
    expect(sent[0]?.version).toBe(9);
  });

  test("or mine is kept here", async () => {
    const dialog = await conflict();
    fireEvent.click(dialog.getByRole("button", { name: "留在这里" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(shown()).toEqual(["我的（下拉选择）"]);
    expect(hasUnsaved("/bpm/manager/form/edit")).toBe(true);
  });
});

describe("drafts", () => {
  test("what was not saved is offered again, and can be undone", async () => {
    const view = await open(houseItems.slice(0, 1));
    press("添加单行文本");
    await screen.findByText(/草稿已自动保存/);
    view.unmount();
    await open(houseItems.slice(0, 1));
    await screen.findByText(/发现上次未保存的设计/);
    press("恢复");
    expect(shown()).toHaveLength(2);
    expect(screen.queryByText(/发现上次未保存的设计/)).toBeNull();
    press("撤销");
    expect(shown()).toHaveLength(1);
  });

  test("after a save there is none", async () => {
    const view = await open();
    press("添加单行文本");
    await save();
    await screen.findByText("没有未保存的修改");
    view.unmount();
    await open(stored.fields);
    expect(screen.queryByText(/发现上次未保存的设计/)).toBeNull();
  });
});

describe("files", () => {
  const choose = (content: string, size?: number) => {
    const file = new File([content], "x.json");
    if (size) Object.defineProperty(file, "size", { value: size });
    fireEvent.change(screen.getByLabelText("选择 JSON 文件", { selector: "input" }), {
      target: { files: [file] },
    });
  };

  test("what is exported is imported again, and can be undone", async () => {
    let blob = new Blob();
    vi.spyOn(URL, "createObjectURL").mockImplementation((made) => {
      blob = made as Blob;
      return "blob:x";
    });
    vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(() => {});
    const view = await open([...houseItems, ...formCreateItems]);
    press("导出");
    await screen.findByText("已导出 请假.form.json");
    view.unmount();
    await open(houseItems.slice(0, 1));
    choose(await blob.text());
    const dialog = within(await screen.findByRole("dialog"));
    dialog.getByText(/现有的 1 个表单项将被文件中的内容取代/);
    fireEvent.click(dialog.getByRole("button", { name: "导入并取代" }));
    await screen.findByText("已导入 9 个表单项");
    await save();
    const all = [...houseItems, ...formCreateItems].map((text) => JSON.parse(text));
    expect(lastFields()).toEqual(all);
    press("撤销");
    expect(shown()).toHaveLength(1);
  });

  test("a file that is none says so and changes nothing", async () => {
    await open(houseItems.slice(0, 1));
    choose("[]");
    await screen.findByText(/文件内容不是 JSON 对象/);
    choose("{}", MAX_FILE + 1);
    await screen.findByText(/文件超过 1 MB/);
    expect(shown()).toHaveLength(1);
    screen.getByText("没有未保存的修改");
  });
});

test("the preview is the form itself, with its checks, and sends nothing", async () => {
  await open(houseItems.slice(1, 3));
  press("预览");
  const dialog = await screen.findByRole("dialog");
  const inside = within(dialog);
  fireEvent.click(await inside.findByRole("button", { name: "试填检查" }));
  await inside.findByText("请填写请假天数");
  fireEvent.change(inside.getByLabelText(/请假天数/), { target: { value: "3" } });
  fireEvent.change(inside.getByLabelText(/请假事由/), { target: { value: "看病" } });
  fireEvent.click(inside.getByText("手机"));
  fireEvent.click(inside.getByRole("button", { name: "试填检查" }));
  const status = await inside.findByRole("status");
  expect(JSON.parse(status.querySelector("pre")?.textContent ?? "")).toEqual({ day: 3, reason: "看病" });
  expect(sent).toEqual([]);
});

test("on a phone the panels are drawers", async () => {
  vi.spyOn(window, "matchMedia").mockImplementation(
    (query: string) =>
      ({
        matches: query.includes("max-width"),
        media: query,
        addEventListener() {},
        removeEventListener() {},
      }) as unknown as MediaQueryList,
  );
  await open();
  expect(screen.queryByRole("complementary")).toBeNull();
  press("添加表单项");
  fireEvent.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "添加日期" }));
  await waitFor(() => expect(shown()).toEqual(["日期（日期）"]));
  fireEvent.click(pick("日期"));
  const title = await screen.findByText("属性");
  const drawer = within(title.closest("[role=dialog]") as HTMLElement);
  fireEvent.change(drawer.getByLabelText("标题"), { target: { value: "生日" } });
  await waitFor(() => expect(shown()).toEqual(["生日（日期）"]));
});

test("without the permission, without a form, with one that is gone", async () => {
  signInAs({ permissions: ["bpm:form:query"] });
  const view = renderPage(<EditorPage />, "/bpm/manager/form/edit?id=5");
  await screen.findByText(/bpm:form:update/);
  view.unmount();
  signInAs();
  const other = renderPage(<EditorPage />, "/bpm/manager/form/edit");
  await screen.findByRole("button", { name: "返回列表" });
  other.unmount();
  server.use(http.get(api("/bpm/form/get"), () => failure(1070000001, "记录不存在或无权查看")));
  await act(async () => {
    renderPage(<EditorPage />, "/bpm/manager/form/edit?id=5");
  });
  await screen.findByText("记录不存在或无权查看");
});
