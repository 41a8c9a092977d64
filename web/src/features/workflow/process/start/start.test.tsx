import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { readDraft } from "@/kernel/crud/useDraft";
import { renderPage, signInAs } from "@/testing/render";
import { api, failure, http, ok, server } from "@/testing/server";
import { changed } from "../../form/change";
import { newItem } from "../../form/create";
import { writeItems } from "../../form/model";
import StartPage from "./StartPage";

vi.setConfig({ testTimeout: 60_000 });

const fields = writeItems([
  changed(newItem("text", []), { label: "用途", name: "purpose", required: true }),
  changed(newItem("number", []), { label: "数量", name: "amount" }),
]);

const seal = {
  id: "seal:2:x",
  key: "seal",
  name: "用印申请",
  description: "合同与证明盖章",
  category: "office",
  categoryName: "行政办公",
  icon: "",
  formType: 10,
  formFields: fields,
  formCustomCreatePath: "",
};
const plain = {
  ...seal,
  id: "p:1:x",
  key: "p",
  name: "设备借用",
  description: "",
  category: "",
  categoryName: "",
};
const leave = {
  ...seal,
  id: "oa_leave:1:x",
  key: "oa_leave",
  name: "请假申请",
  category: "affairs",
  categoryName: "日常事务",
  formType: 20,
  formCustomCreatePath: "/bpm/oa/leave/create",
};
const elsewhere = {
  ...leave,
  id: "t:1:x",
  key: "t",
  name: "选题审批",
  formCustomCreatePath: "/myThesis/subject",
};

const person = (id: number, nickname: string) => ({ id, nickname, deptName: "" });
const node = (id: string, name: string, more: object = {}) => ({
  id,
  name,
  nodeType: 11,
  candidateStrategy: 21,
  candidateUsers: [person(4, "院长")],
  ...more,
});

let asked: string[];
let sent: { body: unknown; key: string | null }[];
let nodes: object[];

beforeEach(() => {
  asked = [];
  sent = [];
  nodes = [node("s", "开始", { nodeType: 0 }), node("a", "院长审批")];
  signInAs({
    menus: [
      {
        id: 1,
        parentId: 0,
        name: "工作流程",
        path: "/bpm",
        component: null,
        children: [
          { id: 2, parentId: 1, name: "请假", path: "oa/leave/create", component: "bpm/oa/leave/create" },
        ],
      },
    ] as never,
  });
  server.use(
    http.get(api("/bpm/process-definition/list"), () => ok([seal, plain, leave, elsewhere])),
    http.get(api("/bpm/category/simple-list"), () =>
      ok([
        { name: "日常事务", code: "affairs" },
        { name: "行政办公", code: "office" },
      ]),
    ),
    http.get(api("/bpm/process-instance/my-page"), () =>
      ok({ list: [{ processDefinitionKey: "seal" }, { processDefinitionKey: "gone" }], total: 2 }),
    ),
    http.get(api("/bpm/process-instance/get-approval-detail"), ({ request }) => {
      asked.push(new URL(request.url).searchParams.get("processVariablesStr") ?? "");
      return ok({ activityNodes: nodes, formFieldsPermission: {} });
    }),
    http.get(api("/system/user/list-all-simple"), () => ok([{ id: 7, nickname: "周明" }])),
    http.post(api("/bpm/process-instance/create"), async ({ request }) => {
      sent.push({ body: await request.json(), key: request.headers.get("Idempotency-Key") });
      return ok("i9");
    }),
  );
});

describe("the catalogue", () => {
  test("groups by category in its order, recent ones first, and leaves out pages I do not have", async () => {
    renderPage(<StartPage />);
    await screen.findByRole("heading", { name: "最近使用" });
    await waitFor(() =>
      expect(screen.getAllByRole("heading", { level: 2 }).map((head) => head.textContent)).toEqual([
        "最近使用",
        "日常事务",
        "行政办公",
        "其他",
      ]),
    );
    expect(screen.getAllByText("用印申请")).toHaveLength(2);
    expect(screen.queryByText("选题审批")).toBeNull();
    screen.getByText("共 3 个");
  });

  test("finds by name and description", async () => {
    const { router } = renderPage(<StartPage />);
    const box = await screen.findByRole("searchbox", { name: "搜索流程名称或说明" });
    await screen.findAllByText("设备借用");
    fireEvent.change(box, { target: { value: "盖章" } });
    expect(screen.queryByText("设备借用")).toBeNull();
    fireEvent.change(box, { target: { value: "没有的" } });
    screen.getByText("没有找到这样的流程");
    fireEvent.change(box, { target: { value: "设备" } });
    fireEvent.click(screen.getByRole("link", { name: /设备借用/ }));
    expect(router.state.location.search).toBe("?key=p");
  });

  test("a failure offers another try", async () => {
    server.use(http.get(api("/bpm/process-definition/list"), () => failure(500, "系统异常，编号 7")));
    renderPage(<StartPage />);
    await screen.findByText("系统异常，编号 7");
    screen.getByRole("button", { name: "重试" });
  });
});

const purpose = () => screen.findByLabelText(/用途/);
const submit = () => fireEvent.click(screen.getByRole("button", { name: "提交用印申请" }));

describe("the form", () => {
  test("shows the path by what is filled in, sends once and opens the instance", async () => {
    const { router } = renderPage(<StartPage />, "/bpm/task/create?key=seal");
    const box = await purpose();
    await screen.findByText("院长");
    nodes = [...nodes, node("b", "校长审批", { candidateUsers: [] })];
    fireEvent.change(screen.getByLabelText(/数量/), { target: { value: "20" } });
    await screen.findByText("校长审批");
    screen.getByText("到达时确定审批人");
    expect(asked.at(-1)).toBe('{"amount":20}');
    submit();
    await screen.findAllByText(/请填写用途/);
    expect(sent).toEqual([]);
    fireEvent.change(box, { target: { value: "合同" } });
    submit();
    submit();
    await waitFor(() => expect(router.state.location.search).toBe("?id=i9"));
    await waitFor(() => expect(screen.queryByText("已发起「用印申请」")).not.toBeNull());
    expect(sent).toHaveLength(1);
    expect(sent[0]?.body).toEqual({
      processDefinitionId: "seal:2:x",
      variables: { purpose: "合同", amount: 20 },
      startUserSelectAssignees: {},
    });
    expect(sent[0]?.key).toBeTruthy();
    expect(readDraft("bpm-start:seal")).toBeNull();
  });

  test("the starter chooses where the process wants it", async () => {
    nodes = [node("a", "主管审批", { candidateStrategy: 35, candidateUsers: [] })];
    renderPage(<StartPage />, "/bpm/task/create?key=seal");
    fireEvent.change(await purpose(), { target: { value: "合同" } });
    const pick = await screen.findByRole("combobox", { name: "请选择「主管审批」的审批人" });
    submit();
    await screen.findByRole("alert");
    expect(sent).toEqual([]);
    fireEvent.mouseDown(pick);
    fireEvent.click(await screen.findByText("周明", { selector: ".ant-select-item-option-content" }));
    submit();
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(sent[0]?.body).toMatchObject({ startUserSelectAssignees: { a: [7] } });
  });

  test("a refusal keeps what was typed, and the same content keeps its key", async () => {
    const keys: (string | null)[] = [];
    server.use(
      http.post(api("/bpm/process-instance/create"), ({ request }) => {
        keys.push(request.headers.get("Idempotency-Key"));
        return failure(1009003003, "流程“用印申请”已挂起，不能发起");
      }),
    );
    renderPage(<StartPage />, "/bpm/task/create?key=seal");
    const box = await purpose();
    fireEvent.change(box, { target: { value: "合同" } });
    submit();
    await screen.findByText(/已挂起/);
    expect(box).toHaveProperty("value", "合同");
    await waitFor(() =>
      expect(screen.getByRole("button", { name: "提交用印申请" }).className).not.toContain("loading"),
    );
    submit();
    await waitFor(() => expect(keys).toHaveLength(2));
    expect(keys[0]).toBe(keys[1]);
  });

  test("what was not sent is offered again", async () => {
    const first = renderPage(<StartPage />, "/bpm/task/create?key=seal");
    fireEvent.change(await purpose(), { target: { value: "写了一半" } });
    await waitFor(() => expect(readDraft("bpm-start:seal")).not.toBeNull());
    first.unmount();
    renderPage(<StartPage />, "/bpm/task/create?key=seal");
    expect(await purpose()).toHaveProperty("value", "");
    fireEvent.click(await screen.findByRole("button", { name: /恢\s?复/ }));
    expect(await purpose()).toHaveProperty("value", "写了一半");
  });

  test("starting again begins with the earlier values", async () => {
    server.use(
      http.get(api("/bpm/process-instance/get"), () =>
        ok({ formVariables: { purpose: "去年的合同", amount: 3 }, businessKey: "" }),
      ),
    );
    renderPage(<StartPage />, "/bpm/task/create?key=seal&from=i1");
    expect(await purpose()).toHaveProperty("value", "去年的合同");
    await waitFor(() => expect(asked.at(-1)).toBe('{"purpose":"去年的合同","amount":3}'));
  });

  test("a process with a page of its own leads there, with the row to begin with", async () => {
    server.use(
      http.get(api("/bpm/process-instance/get"), () => ok({ formVariables: {}, businessKey: "12" })),
    );
    const { router } = renderPage(<StartPage />, "/bpm/task/create?key=oa_leave&from=i1");
    await waitFor(() => expect(router.state.location.pathname).toBe("/bpm/oa/leave/create"));
    expect(router.state.location.search).toBe("?from=12");
  });

  test("one that cannot be started says so and leads back", async () => {
    const { router } = renderPage(<StartPage />, "/bpm/task/create?key=gone");
    await screen.findByText("这个流程现在不能发起");
    act(() => screen.getByRole("button", { name: "查看可以发起的流程" }).click());
    expect(router.state.location.search).toBe("");
  });

  test("a path that cannot be foreseen does not keep anybody from sending", async () => {
    server.use(
      http.get(api("/bpm/process-instance/get-approval-detail"), () => failure(1009004005, "暂不可用")),
    );
    renderPage(<StartPage />, "/bpm/task/create?key=seal");
    const path = await screen.findByRole("region", { name: "审批路径" });
    await within(path).findByText(/暂不可用/);
    fireEvent.change(await purpose(), { target: { value: "合同" } });
    submit();
    await waitFor(() => expect(sent).toHaveLength(1));
  });
});
