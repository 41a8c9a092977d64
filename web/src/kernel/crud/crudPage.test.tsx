import { act, fireEvent, renderHook, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import axe from "axe-core";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { useSession } from "@/kernel/session/store";
import { fillDicts, renderPage, signInAs } from "@/testing/render";
import { api, failure, HttpResponse, http, ok, server } from "@/testing/server";
import { type BaseRow, crudPage, useDelayed } from ".";
import { readDraft, writeDraft } from "./useDraft";

// The page under test must not change with the product's own entities.
vi.mock("./entities.gen.json", () => import("./entities.fixture.json"));

interface Post extends BaseRow {
  name: string;
  code: string;
  sort: number;
  status: number;
  remark: string;
  createTime: number;
}

const PostPage = crudPage<Post>("system/post", {
  columns: [
    { name: "name", search: true },
    { name: "code", search: true },
    { name: "sort" },
    { name: "status", search: true },
    { name: "remark", optional: true },
    { name: "createTime", search: "range" },
  ],
});

function post(id: number, part: Partial<Post> = {}): Post {
  return {
    id,
    name: `岗位${id}`,
    code: `P${id}`,
    sort: id,
    status: 0,
    remark: "",
    createTime: 1795240920000,
    version: 3,
    ...part,
  };
}

const rows = [post(1), post(2), post(3)];

/** Serves a list and records the queries. */
function serveList(list: Post[] = rows, total = list.length): URLSearchParams[] {
  const queries: URLSearchParams[] = [];
  server.use(
    http.get(api("/system/post/page"), ({ request }) => {
      queries.push(new URL(request.url).searchParams);
      return ok({ list, total });
    }),
    http.get(api("/system/post/get"), ({ request }) => {
      const id = Number(new URL(request.url).searchParams.get("id"));
      return ok(list.find((row) => row.id === id) ?? null);
    }),
  );
  return queries;
}

beforeEach(() => {
  signInAs();
  fillDicts({ common_status: { 0: "开启", 1: "关闭" } });
});

describe("the list", () => {
  test("shows rows with labels, tags and the count", async () => {
    serveList();
    renderPage(<PostPage />);
    await screen.findByText("岗位1");
    screen.getByRole("heading", { level: 1, name: "岗位" });
    expect(screen.getAllByText("共 3 条")).toHaveLength(2);
    expect(screen.getAllByText("开启").length).toBeGreaterThanOrEqual(3);
    expect(screen.queryByRole("columnheader", { name: "备注" })).toBeNull();
  });

  test("reads filters, page and order from the address", async () => {
    const queries = serveList(rows, 300);
    renderPage(<PostPage />, "/?name=%E5%B2%97&pageNo=2&pageSize=50&sort=sort.desc");
    await screen.findByText("岗位1");
    expect(Object.fromEntries(queries[0] ?? [])).toEqual({
      pageNo: "2",
      pageSize: "50",
      name: "岗",
      "sortingFields[0].field": "sort",
      "sortingFields[0].order": "desc",
    });
    expect(screen.getByLabelText("岗位名称", { selector: "input" })).toHaveProperty("value", "岗");
  });

  test("typing filters after a pause, goes to page 1 and into the address", async () => {
    const queries = serveList(rows, 300);
    const user = userEvent.setup();
    const { router } = renderPage(<PostPage />, "/?pageNo=2");
    await screen.findByText("岗位1");
    await user.type(screen.getByLabelText("岗位名称", { selector: "input" }), "教");
    await waitFor(() => expect(router.state.location.search).toBe("?name=%E6%95%99"));
    await waitFor(() => expect(queries.at(-1)?.get("name")).toBe("教"));
    expect(queries.at(-1)?.get("pageNo")).toBe("1");
  });

  test("a header sorts", async () => {
    const queries = serveList();
    renderPage(<PostPage />);
    await screen.findByText("岗位1");
    fireEvent.click(screen.getByText("显示顺序", { selector: "th *" }));
    await waitFor(() => expect(queries.at(-1)?.get("sortingFields[0].field")).toBe("sort"));
    expect(queries.at(-1)?.get("sortingFields[0].order")).toBe("asc");
  });

  test("the pager asks for the next page", async () => {
    const queries = serveList(rows, 45);
    renderPage(<PostPage />);
    await screen.findByText("岗位1");
    fireEvent.click(screen.getByRole("button", { name: "第 2 页" }));
    await waitFor(() => expect(queries.at(-1)?.get("pageNo")).toBe("2"));
  });

  test("chosen columns are remembered", async () => {
    serveList();
    const first = renderPage(<PostPage />);
    await screen.findByText("岗位1");
    fireEvent.click(screen.getByRole("button", { name: "列设置" }));
    fireEvent.click(await screen.findByRole("checkbox", { name: "备注" }));
    await screen.findByRole("columnheader", { name: /备注/ });
    first.unmount();
    renderPage(<PostPage />);
    await screen.findByRole("columnheader", { name: /备注/ });
  });

  test("a long wait shows a skeleton", async () => {
    let answer = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    server.use(
      http.get(api("/system/post/page"), async () => {
        await held;
        return ok({ list: rows, total: 3 });
      }),
    );
    const { container } = renderPage(<PostPage />);
    await screen.findByRole("status", { name: "正在加载列表" });
    await waitFor(() => expect(container.querySelector(".ant-skeleton")).not.toBeNull());
    answer();
    await screen.findByText("岗位1");
    expect(container.querySelector(".ant-skeleton")).toBeNull();
  });

  test("a short wait shows none: it begins after 200 ms", () => {
    vi.useFakeTimers();
    const { result, rerender } = renderHook(({ on }) => useDelayed(on), { initialProps: { on: true } });
    act(() => vi.advanceTimersByTime(199));
    expect(result.current).toBe(false);
    act(() => vi.advanceTimersByTime(1));
    expect(result.current).toBe(true);
    rerender({ on: false });
    expect(result.current).toBe(false);
  });

  test("arrow keys choose a row, Enter opens it, the arrows go on to its neighbours", async () => {
    serveList();
    renderPage(<PostPage />);
    await screen.findByText("岗位1");
    const table = screen.getByRole("region", { name: "岗位列表" });
    fireEvent.keyDown(table, { key: "ArrowDown" });
    fireEvent.keyDown(table, { key: "ArrowDown" });
    fireEvent.keyDown(table, { key: "Enter" });
    const drawer = await screen.findByRole("dialog");
    within(drawer).getByText("岗位2", { selector: ".ant-drawer-title" });
    fireEvent.click(within(drawer).getByRole("button", { name: "下一条" }));
    await within(drawer).findByText("岗位3", { selector: ".ant-drawer-title" });
    expect(within(drawer).getByRole("button", { name: "下一条" })).toHaveProperty("disabled", true);
  });

  test("the key / goes to the first filter", async () => {
    serveList();
    renderPage(<PostPage />);
    await screen.findByText("岗位1");
    fireEvent.keyDown(document.body, { key: "/" });
    expect(document.activeElement).toBe(screen.getByLabelText("岗位名称", { selector: "input" }));
  });

  test("on a phone rows are cards", async () => {
    vi.spyOn(window, "matchMedia").mockImplementation(
      (query) =>
        ({
          matches: query.includes("max-width: 991"),
          addEventListener() {},
          removeEventListener() {},
          addListener() {},
          removeListener() {},
        }) as unknown as MediaQueryList,
    );
    serveList();
    renderPage(<PostPage />);
    const list = await screen.findByRole("list", { name: "岗位列表" });
    expect(within(list).getAllByRole("listitem")).toHaveLength(3);
    expect(screen.queryByRole("table")).toBeNull();
    fireEvent.click(within(list).getByRole("button", { name: "岗位2" }));
    await screen.findByRole("dialog");
  });

  test("has no serious accessibility violation", async () => {
    serveList();
    const { container } = renderPage(<PostPage />);
    await screen.findByText("岗位1");
    const { violations } = await axe.run(container, {
      rules: { "color-contrast": { enabled: false }, region: { enabled: false } },
    });
    const serious = violations.filter((item) => item.impact === "serious" || item.impact === "critical");
    expect(serious.map((item) => `${item.id}: ${item.nodes.map((node) => node.html).join(" ")}`)).toEqual([]);
  });
});

describe("states", () => {
  test("empty offers to create", async () => {
    serveList([]);
    renderPage(<PostPage />);
    await screen.findByText("还没有岗位");
    expect(screen.getAllByRole("button", { name: "新建岗位" })).toHaveLength(2);
  });

  test("empty because of filters offers to clear them", async () => {
    serveList([]);
    const { router } = renderPage(<PostPage />, "/?name=x");
    await screen.findByText("没有符合条件的岗位");
    fireEvent.click(screen.getByRole("button", { name: "清除筛选" }));
    await waitFor(() => expect(router.state.location.search).toBe(""));
  });

  test("an error says why and retries", async () => {
    server.use(http.get(api("/system/post/page"), () => failure(500, "系统异常，编号 7")));
    renderPage(<PostPage />);
    await screen.findByText("系统异常，编号 7");
    serveList();
    fireEvent.click(screen.getByRole("button", { name: "重试" }));
    await screen.findByText("岗位1");
  });

  test("no permission names what is missing and asks the server nothing", async () => {
    signInAs({ permissions: ["system:post:create"] });
    const queries = serveList();
    renderPage(<PostPage />);
    await screen.findByText("您没有查看岗位的权限");
    screen.getByText(/system:post:query/);
    expect(queries).toHaveLength(0);
  });

  test("a permission removed hides its button", async () => {
    signInAs({ permissions: ["system:post:query"] });
    serveList();
    renderPage(<PostPage />);
    await screen.findByText("岗位1");
    for (const name of ["新建岗位", "导出", "导入", /编辑/, /删除/]) {
      expect(screen.queryByRole("button", { name })).toBeNull();
    }
    expect(screen.queryByRole("checkbox")).toBeNull();
  });
});

describe("the form", () => {
  async function openCreate() {
    serveList();
    const user = userEvent.setup();
    renderPage(<PostPage />);
    await screen.findByText("岗位1");
    await user.click(screen.getByRole("button", { name: "新建岗位" }));
    const drawer = await screen.findByRole("dialog");
    const fill = async (name: string, text: string) => {
      const input = within(drawer).getByLabelText(new RegExp(name));
      await user.clear(input);
      await user.type(input, text);
    };
    const submit = () => user.click(within(drawer).getByRole("button", { name: "新建岗位" }));
    const fillAll = async () => {
      await fill("岗位名称", "教务员");
      await fill("岗位编码", "JWY");
      await fill("显示顺序", "4");
      fireEvent.mouseDown(within(drawer).getByLabelText(/状态/));
      fireEvent.click(await screen.findByText("关闭", { selector: ".ant-select-item-option-content" }));
    };
    return { user, drawer, fill, fillAll, submit };
  }

  test("tells what is missing when pressed", async () => {
    const { drawer, submit } = await openCreate();
    await submit();
    await within(drawer).findByText("还有 4 项需要修改：岗位名称、岗位编码、显示顺序、状态");
    within(drawer).getByText("请填写岗位名称");
    within(drawer).getByText("请选择状态");
  });

  test("creates, says so and closes", async () => {
    const bodies: unknown[] = [];
    const keys: (string | null)[] = [];
    server.use(
      http.post(api("/system/post/create"), async ({ request }) => {
        bodies.push(await request.json());
        keys.push(request.headers.get("Idempotency-Key"));
        return bodies.length === 1 ? HttpResponse.error() : ok(9);
      }),
    );
    const { drawer, fillAll, submit } = await openCreate();
    await fillAll();
    await submit();
    await within(drawer).findByText("后端接口连接异常");
    await submit();
    await screen.findByText("已新建岗位");
    expect(bodies[1]).toEqual({ name: "教务员", code: "JWY", sort: 4, status: 1, remark: "" });
    // The same content sent again is the same submission.
    expect(keys[0]).toMatch(/^\w{32}$/);
    expect(keys[1]).toBe(keys[0]);
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  });

  test("server errors land on their fields", async () => {
    server.use(
      http.post(api("/system/post/create"), () =>
        failure(400, "请求参数不正确：岗位编码已存在", {
          fields: [{ name: "code", message: "岗位编码已存在" }],
        }),
      ),
    );
    const { drawer, fillAll, submit } = await openCreate();
    await fillAll();
    await submit();
    const item = (await within(drawer).findByText("岗位编码已存在")).closest(".ant-form-item");
    expect(item?.querySelector("input")).toBe(within(drawer).getByLabelText(/岗位编码/));
  });

  test("asks before unsaved changes are lost", async () => {
    const { user, drawer, fill } = await openCreate();
    await fill("岗位名称", "教");
    await user.click(within(drawer).getByRole("button", { name: "取消" }));
    await screen.findByText("您有尚未保存的修改，确定离开吗？");
    await user.click(screen.getByRole("button", { name: "继续编辑" }));
    expect(within(drawer).getByLabelText(/岗位名称/)).toHaveProperty("value", "教");
    await user.click(within(drawer).getByRole("button", { name: "取消" }));
    await user.click(await screen.findByRole("button", { name: /离\s*开/ }));
    await waitFor(() => expect(screen.queryByLabelText(/岗位名称.*\*/)).toBeNull());
  });

  test("edits with the version; a stale one offers the latest content", async () => {
    serveList();
    const bodies: unknown[] = [];
    server.use(
      http.put(api("/system/post/update"), async ({ request }) => {
        bodies.push(await request.json());
        return failure(1070000002, "数据已被他人修改，请刷新后重试");
      }),
    );
    const user = userEvent.setup();
    renderPage(<PostPage />);
    await user.click(await screen.findByRole("button", { name: "编辑 岗位2" }));
    const drawer = await screen.findByRole("dialog");
    const name = await within(drawer).findByLabelText(/岗位名称/);
    await waitFor(() => expect(name).toHaveProperty("value", "岗位2"));
    await user.type(name, "改");
    await user.click(within(drawer).getByRole("button", { name: "保存" }));
    await screen.findByText("这条记录已被他人修改", { selector: ".ant-modal-confirm-title" });
    expect(bodies[0]).toEqual({
      id: 2,
      version: 3,
      name: "岗位2改",
      code: "P2",
      sort: 2,
      status: 0,
      remark: "",
    });
    serveList([post(1), post(2, { name: "新名", version: 4 }), post(3)]);
    await user.click(screen.getByRole("button", { name: "载入最新内容" }));
    await waitFor(() => expect(name).toHaveProperty("value", "新名"));
  });

  test("what was typed when the session ended is offered again", async () => {
    const { fill, drawer } = await openCreate();
    await fill("岗位名称", "教务员");
    act(() => {
      window.dispatchEvent(new Event("viva:session-lost"));
    });
    expect(JSON.parse(sessionStorage.getItem("viva-draft::1:/system/post:new") ?? "")).toMatchObject({
      values: { name: "教务员" },
    });
    expect(drawer).toBeTruthy();
  });

  test("what somebody else typed is not offered", async () => {
    writeDraft("/system/post:new", { name: "别人写的" });
    const user = useSession.getState().user;
    expect(readDraft("/system/post:new")).toMatchObject({ values: { name: "别人写的" } });
    useSession.setState({ user: user && { ...user, id: 2 } });
    expect(readDraft("/system/post:new")).toBeNull();
    useSession.setState({ user });
    localStorage.setItem("TENANT_ID", "2");
    expect(readDraft("/system/post:new")).toBeNull();
  });
});

describe("acts on rows", () => {
  test("deleting several asks once and reports what failed", async () => {
    serveList();
    const deleted: string[] = [];
    server.use(
      http.delete(api("/system/post/delete"), ({ request }) => {
        const id = new URL(request.url).searchParams.get("id") ?? "";
        deleted.push(id);
        return id === "2" ? failure(1002005002, "岗位已有人任职") : ok(true);
      }),
    );
    const user = userEvent.setup();
    renderPage(<PostPage />);
    await screen.findByText("岗位1");
    await user.click(screen.getByRole("checkbox", { name: "选择 岗位1" }));
    await user.click(screen.getByRole("checkbox", { name: "选择 岗位2" }));
    screen.getByText("已选 2 条");
    await user.click(screen.getByRole("button", { name: "删除所选" }));
    await screen.findByText("确认删除所选的 2 条记录吗？删除后不可在此恢复。");
    await user.click(screen.getByRole("button", { name: /^删\s*除$/ }));
    await screen.findByText("已删除 1 条，1 条未能删除：岗位已有人任职");
    expect(deleted).toEqual(["1", "2"]);
    screen.getByText("已选 1 条");
  });

  test("one box selects the whole page", async () => {
    serveList();
    const user = userEvent.setup();
    renderPage(<PostPage />);
    await user.click(await screen.findByRole("checkbox", { name: "选择本页全部" }));
    screen.getByText("已选 3 条");
    await user.click(screen.getByRole("button", { name: "取消选择" }));
    expect(screen.queryByText("已选 3 条")).toBeNull();
  });

  test("the export carries the filters of the list", async () => {
    serveList();
    let query = new URLSearchParams();
    server.use(
      http.get(api("/system/post/export-excel"), ({ request }) => {
        query = new URL(request.url).searchParams;
        return new HttpResponse("xlsx", { headers: { "Content-Type": "application/vnd.ms-excel" } });
      }),
    );
    const names: string[] = [];
    vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
      names.push(this.download);
    });
    const user = userEvent.setup();
    renderPage(<PostPage />, "/?status=1&pageNo=2");
    await screen.findByText("岗位1");
    await user.click(screen.getByRole("button", { name: "导出" }));
    await waitFor(() => expect(names).toHaveLength(1));
    expect(Object.fromEntries(query)).toEqual({ status: "1" });
    expect(names[0]).toMatch(/^岗位_关闭_\d{8}-\d{4}\.xlsx$/);
  });

  test("the import reports row by row", async () => {
    serveList();
    let update: string | null = null;
    server.use(
      http.post(api("/system/post/import"), ({ request }) => {
        update = new URL(request.url).searchParams.get("updateSupport");
        return ok({
          created: 3,
          updated: 1,
          failures: [
            { row: 4, msg: "请求参数不正确", fields: [{ name: "code", message: "不能为空" }] },
            { row: 6, msg: "岗位名称已存在", fields: null },
          ],
        });
      }),
    );
    const user = userEvent.setup();
    renderPage(<PostPage />);
    await screen.findByText("岗位1");
    await user.click(screen.getByRole("button", { name: "导入" }));
    const dialog = await screen.findByRole("dialog");
    await user.click(within(dialog).getByRole("button", { name: "开始导入" }));
    await within(dialog).findByText("请先选择要导入的 Excel 文件（.xlsx）");
    await user.upload(
      within(dialog).getByLabelText("选择 Excel 文件", { selector: "input" }),
      new File(["x"], "a.xlsx"),
    );
    await user.click(within(dialog).getByRole("button", { name: "开始导入" }));
    await within(dialog).findByText("导入完成：新增 3 条，更新 1 条，失败 2 条");
    within(dialog).getByText("不能为空");
    within(dialog).getByText("岗位编码");
    within(dialog).getByText("岗位名称已存在");
    expect(update).toBe("false");
  });
});
