import { configure, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { fillDicts, renderPage, signInAs } from "@/testing/render";
import { api, failure, http, ok, server } from "@/testing/server";
import CategoryPage from "./category";
import FormPage from "./form/FormPage";
import { designFileName, readDesign, writeDesign } from "./form/formDesign";
import GroupPage from "./group";
import ListenerPage from "./listener";

configure({ asyncUtilTimeout: 10_000 });
vi.setConfig({ testTimeout: 60_000 });

let sent: { call: string; body: unknown }[];

/** Records a call; the path comes with its query. */
async function keep({ request }: { request: Request }) {
  const url = new URL(request.url);
  const text = await request.text();
  const call = `${request.method} ${url.pathname.replace("/admin-api", "")}${url.search}`;
  sent.push({ call, body: text ? JSON.parse(text) : null });
  return ok(true);
}

function serve(path: string, rows: object[]): void {
  server.use(
    http.get(api(`${path}/page`), () => ok({ list: rows, total: rows.length })),
    http.get(api(`${path}/get`), () => ok(rows[0])),
    http.post(api(`${path}/create`), keep),
    http.put(api(`${path}/update`), keep),
  );
}

/** Opens the select of that label and chooses by text. */
async function choose(drawer: HTMLElement, label: RegExp, text: string): Promise<void> {
  fireEvent.mouseDown(within(drawer).getByLabelText(label));
  const options = await screen.findAllByText(text, { selector: ".ant-select-item-option-content" });
  fireEvent.click(options.at(-1) as HTMLElement);
}

function fill(drawer: HTMLElement, label: RegExp, text: string): void {
  fireEvent.change(within(drawer).getByLabelText(label), { target: { value: text } });
}

beforeEach(() => {
  sent = [];
  signInAs();
  fillDicts({
    common_status: { 0: "开启", 1: "关闭" },
    bpm_process_listener_type: { execution: "执行监听器", task: "任务监听器" },
    bpm_process_listener_value_type: { class: "Java 类", expression: "表达式" },
  });
});

// biome-ignore lint/suspicious/noTemplateCurlyInString: an expression of a process looks like one
const expression = "${remind}";

describe("categories", () => {
  const category = (id: number, name: string) => ({
    id,
    version: 1,
    name,
    code: `c${id}`,
    status: 0,
    sort: id,
  });

  beforeEach(() => {
    serve("/bpm/category", [category(4, "甲"), category(9, "乙"), category(2, "丙")]);
    server.use(http.put(api("/bpm/category/update-sort-batch"), keep));
  });

  test("arrows swap neighbours; the ends have nowhere to go", async () => {
    renderPage(<CategoryPage />);
    const up = await screen.findByRole("button", { name: "上移 乙" });
    expect(screen.getByRole("button", { name: "上移 甲" })).toHaveProperty("disabled", true);
    expect(screen.getByRole("button", { name: "下移 丙" })).toHaveProperty("disabled", true);
    fireEvent.click(up);
    await waitFor(() => expect(sent[0]?.call).toBe("PUT /bpm/category/update-sort-batch?ids=9%2C4"));
    await waitFor(() => expect(up).toHaveProperty("disabled", false));
    fireEvent.click(screen.getByRole("button", { name: "下移 乙" }));
    await waitFor(() => expect(sent[1]?.call).toBe("PUT /bpm/category/update-sort-batch?ids=2%2C9"));
  });

  test("a failure is told and the arrows work again", async () => {
    server.use(
      http.put(api("/bpm/category/update-sort-batch"), () => failure(1070000001, "记录不存在或无权查看")),
    );
    vi.spyOn(console, "error").mockImplementation(() => {});
    renderPage(<CategoryPage />);
    const up = await screen.findByRole("button", { name: "上移 乙" });
    fireEvent.click(up);
    await screen.findByText("记录不存在或无权查看");
    await waitFor(() => expect(up).toHaveProperty("disabled", false));
  });

  test("in another order there are no arrows", async () => {
    renderPage(<CategoryPage />, "/?sort=name.desc");
    await screen.findByText("乙");
    expect(screen.queryByRole("button", { name: "上移 乙" })).toBeNull();
  });
});

test("a group wants members", async () => {
  serve("/bpm/user-group", []);
  server.use(http.get(api("/system/user/list-all-simple"), () => ok([{ id: 3, nickname: "陈远" }])));
  renderPage(<GroupPage />);
  fireEvent.click((await screen.findAllByRole("button", { name: "新建用户分组" }))[0] as HTMLElement);
  const drawer = await screen.findByRole("dialog");
  fill(drawer, /^组名/, "评议组");
  fireEvent.click(within(drawer).getByRole("button", { name: "新建用户分组" }));
  await within(drawer).findByText("请选择成员");
  await choose(drawer, /^成员/, "陈远");
  fireEvent.click(within(drawer).getByRole("button", { name: "新建用户分组" }));
  await waitFor(() =>
    expect(sent).toEqual([
      {
        call: "POST /bpm/user-group/create",
        body: { name: "评议组", description: "", memberUserIds: [3], status: 0 },
      },
    ]),
  );
});

test("the events of a listener follow its type", async () => {
  serve("/bpm/process-listener", []);
  renderPage(<ListenerPage />);
  fireEvent.click((await screen.findAllByRole("button", { name: "新建流程监听器" }))[0] as HTMLElement);
  const drawer = await screen.findByRole("dialog");
  fill(drawer, /^监听器名称/, "催办");
  await choose(drawer, /^监听事件/, "经过连线");
  within(drawer).getByText("经过连线");
  await choose(drawer, /^监听类型/, "任务监听器");
  // The event of the other type goes.
  await waitFor(() => expect(within(drawer).queryByText("经过连线")).toBeNull());
  fill(drawer, /^值(?!类型)/, expression);
  fireEvent.click(within(drawer).getByRole("button", { name: "新建流程监听器" }));
  await within(drawer).findByText("请填写监听事件");
  await choose(drawer, /^监听事件/, "超时");
  fireEvent.click(within(drawer).getByRole("button", { name: "新建流程监听器" }));
  await waitFor(() =>
    expect(sent[0]?.body).toMatchObject({ type: "task", event: "timeout", value: expression }),
  );
});

describe("forms", () => {
  const row = {
    id: 5,
    version: 3,
    name: "请假/2026",
    conf: '{"form":{"labelPosition":"top"}}',
    fields: ['{"type":"input","field":"reason","title":"事由"}'],
    status: 0,
    remark: "",
    createTime: 1795240920000,
  };
  const pick = (dialog: HTMLElement, name: string, content: string) =>
    fireEvent.change(within(dialog).getByLabelText("选择 JSON 文件", { selector: "input" }), {
      target: { files: [new File([content], name)] },
    });

  test("a new one starts without items and leads to its design", async () => {
    serve("/bpm/form", [row]);
    server.use(
      http.post(api("/bpm/form/create"), async (call) => {
        await keep(call);
        return ok(12);
      }),
    );
    const { router } = renderPage(<FormPage />);
    fireEvent.click(await screen.findByRole("button", { name: "新建流程表单" }));
    const dialog = await screen.findByRole("dialog");
    fireEvent.click(within(dialog).getByRole("button", { name: "新建流程表单" }));
    await within(dialog).findByText("请填写表单名称");
    fill(dialog, /^表单名称/, " 外出 ");
    fireEvent.click(within(dialog).getByRole("button", { name: "新建流程表单" }));
    await waitFor(() =>
      expect(sent[0]).toEqual({
        call: "POST /bpm/form/create",
        body: { name: "外出", status: 0, remark: "", conf: "{}", fields: [] },
      }),
    );
    await waitFor(() =>
      expect(router.state.location.pathname + router.state.location.search).toBe(
        "/bpm/manager/form/edit?id=12",
      ),
    );
  });

  test("an edit leaves the items alone; the design has a page of its own", async () => {
    serve("/bpm/form", [row]);
    const { router } = renderPage(<FormPage />);
    fireEvent.click(await screen.findByRole("button", { name: /^编辑 请假/ }));
    const edit = await screen.findByRole("dialog");
    await waitFor(() => expect(within(edit).getByLabelText(/^表单名称/)).toHaveProperty("value", row.name));
    fill(edit, /^备注/, "改");
    fireEvent.click(within(edit).getByRole("button", { name: "保存" }));
    await waitFor(() =>
      expect(sent[0]).toEqual({
        call: "PUT /bpm/form/update",
        body: { id: 5, version: 3, name: row.name, status: 0, remark: "改" },
      }),
    );
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    fireEvent.click(screen.getByRole("button", { name: /^设计 请假/ }));
    await waitFor(() => expect(router.state.location.search).toBe("?id=5"));
  });

  test("the export is a file of readable JSON", async () => {
    serve("/bpm/form", [row]);
    const files: { name: string; blob: Blob }[] = [];
    let blob = new Blob();
    vi.spyOn(URL, "createObjectURL").mockImplementation((made) => {
      blob = made as Blob;
      return "blob:x";
    });
    vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
      files.push({ name: this.download, blob });
    });
    renderPage(<FormPage />);
    fireEvent.click(await screen.findByRole("button", { name: /更多.*请假/ }));
    fireEvent.click(await screen.findByRole("menuitem", { name: "导出文件" }));
    await screen.findByText("已导出 请假-2026.form.json");
    expect(files[0]?.name).toBe("请假-2026.form.json");
    expect(JSON.parse((await files[0]?.blob.text()) ?? "")).toEqual({
      name: row.name,
      conf: { form: { labelPosition: "top" } },
      fields: [{ type: "input", field: "reason", title: "事由" }],
    });
  });

  test("a file becomes a new form; a bad one says what is wrong", async () => {
    serve("/bpm/form", [row]);
    renderPage(<FormPage />);
    fireEvent.click(await screen.findByRole("button", { name: "导入表单" }));
    const dialog = await screen.findByRole("dialog");
    fireEvent.click(within(dialog).getByRole("button", { name: "导入为新表单" }));
    await within(dialog).findByText("请先选择表单文件（.json）");
    pick(dialog, "x.json", "not json");
    await within(dialog).findByText(/文件内容不是 JSON 对象/);
    pick(dialog, "外出.form.json", '{"conf":{},"fields":[{"field":"a"}]}');
    await within(dialog).findByText("文件中有 1 个表单项");
    const name = within(dialog).getByLabelText("表单名称");
    expect(name).toHaveProperty("value", "外出");
    fireEvent.change(name, { target: { value: " " } });
    fireEvent.click(within(dialog).getByRole("button", { name: "导入为新表单" }));
    await within(dialog).findByText("请填写表单名称");
    fireEvent.change(name, { target: { value: "外出申请" } });
    server.use(
      http.post(api("/bpm/form/create"), () => failure(400, "请求参数不正确：表单内容过大"), { once: true }),
    );
    fireEvent.click(within(dialog).getByRole("button", { name: "导入为新表单" }));
    await within(dialog).findByText("请求参数不正确：表单内容过大");
    fireEvent.click(within(dialog).getByRole("button", { name: "导入为新表单" }));
    await screen.findByText("已导入表单「外出申请」");
    expect(sent).toEqual([
      {
        call: "POST /bpm/form/create",
        body: { name: "外出申请", conf: "{}", fields: ['{"field":"a"}'], status: 0, remark: "" },
      },
    ]);
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  });

  test("a file replaces the content of a form, with the version that was seen", async () => {
    serve("/bpm/form", [row]);
    renderPage(<FormPage />);
    fireEvent.click(await screen.findByRole("button", { name: /更多.*请假/ }));
    fireEvent.click(await screen.findByRole("menuitem", { name: "替换内容" }));
    const dialog = await screen.findByRole("dialog");
    within(dialog).getByText(/现有的表单项将被文件中的内容取代/);
    pick(dialog, "x.json", writeDesign({ name: "别名", conf: "{}", fields: [] }));
    await within(dialog).findByText("文件中有 0 个表单项");
    fireEvent.click(within(dialog).getByRole("button", { name: "替换内容" }));
    await waitFor(() =>
      expect(sent).toEqual([
        { call: "PUT /bpm/form/update", body: { id: 5, version: 3, conf: "{}", fields: [] } },
      ]),
    );
  });
});

describe("the file of a form", () => {
  test("what was written is read back", () => {
    const design = { name: "请假", conf: '{"a":[1,{"b":"\\u0000"}]}', fields: ['{"field":"x"}', "{}"] };
    expect(readDesign(writeDesign(design))).toEqual(design);
    expect(readDesign(`\uFEFF${JSON.stringify(design)}`)).toEqual(design);
  });

  test.each([
    ["[]", /不是 JSON 对象/],
    ["null", /不是 JSON 对象/],
    ["{", /不是 JSON 对象/],
    ["{}", /缺少表单配置/],
    ['{"conf":"x"}', /缺少表单配置/],
    ['{"conf":{}}', /缺少表单项列表/],
    ['{"conf":{},"fields":{}}', /缺少表单项列表/],
    ['{"conf":{},"fields":[{},1]}', /第 2 个表单项/],
  ])("%s is refused", (text, reason) => {
    expect(() => readDesign(text)).toThrow(reason);
  });

  test("its name holds nothing that a file system refuses", () => {
    expect(designFileName('a/b\\c:d*e?"f<g>h|i j')).toBe("a-b-c-d-e-f-g-h-i-j.form.json");
  });
});
