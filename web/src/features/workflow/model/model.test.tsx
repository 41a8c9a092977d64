import { configure, fireEvent, screen, waitFor, within } from "@testing-library/react";
import axe from "axe-core";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { fillDicts, renderPage, signInAs } from "@/testing/render";
import { api, failure, http, ok, server } from "@/testing/server";
import DefinitionPage from "./DefinitionPage";
import ModelPage from "./ModelPage";

// Pages load in several steps; a busy machine needs more than the usual second.
configure({ asyncUtilTimeout: 10_000 });
vi.setConfig({ testTimeout: 60_000 });

const definition = {
  id: "leave:2:a",
  version: 2,
  deploymentTime: 1795240920000,
  suspensionState: 1,
  running: 2,
};
const model = {
  id: "7",
  key: "leave",
  name: "请假",
  description: "",
  category: "finance",
  categoryName: "财务",
  formType: 20,
  formId: null,
  formName: "",
  formCustomCreatePath: "/bpm/oa/leave/create",
  formCustomViewPath: "/bpm/oa/leave/detail",
  visible: true,
  startUserIds: [],
  startDeptIds: [],
  managerUserIds: [],
  startUsers: [],
  startDepts: [],
  hasDiagram: true,
  processDefinition: definition as typeof definition | null,
  updateTime: 1795240920000,
  version: 3,
};
const problem = {
  elementId: "check",
  elementType: "userTask",
  severity: "error",
  code: "no-assignment",
  zh: "任务“审核”没有可用的分配规则，请先分配",
  en: "The task 审核 has no usable assignment; assign it first",
  line: 12,
  column: 3,
};
const hint = {
  ...problem,
  elementId: "",
  elementType: "",
  severity: "warning",
  code: "x",
  zh: "只是提示",
  line: 0,
};
const rule = {
  id: null as number | null,
  taskDefinitionKey: "check",
  taskDefinitionName: "审核",
  type: null as number | null,
  options: [] as number[],
  diagramStrategy: "",
  diagramParam: "",
  diagramTitle: "",
  diagramAssignee: "",
};

let sent: { call: string; body: unknown }[];

/** Records a call; the path comes with its query. */
async function keep({ request }: { request: Request }) {
  const url = new URL(request.url);
  const multipart = request.headers.get("Content-Type")?.startsWith("multipart");
  const text = await request.text();
  const body = multipart ? text : text && JSON.parse(text);
  sent.push({ call: `${request.method} ${url.pathname.replace("/admin-api", "")}${url.search}`, body });
  return ok(true);
}

function serve(rows: object[]): void {
  server.use(http.get(api("/bpm/model/page"), () => ok({ list: rows, total: rows.length })));
}

function list(name: string, rows: object[]) {
  return http.get(api(`/${name}/list-all-simple`), () => ok(rows));
}

/** Opens an act of the row, which stands beside it or in its menu. */
async function act(name: string): Promise<void> {
  const direct = screen.queryByRole("button", { name: `${name} 请假` });
  if (direct) {
    fireEvent.click(direct);
    return;
  }
  fireEvent.click(screen.getByRole("button", { name: /更多.*请假/ }));
  fireEvent.click(await screen.findByText(name));
}

function file(name: string, text: string, size?: number): File {
  const made = new File([text], name);
  if (size) Object.defineProperty(made, "size", { value: size });
  return made;
}

function drop(dialog: HTMLElement, chosen: File): void {
  const input = dialog.querySelector("input[type=file]") as HTMLInputElement;
  fireEvent.change(input, { target: { files: [chosen] } });
}

const xml = (id: string, name: string) =>
  `<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL"><process id="${id}" name="${name}" isExecutable="true"/></definitions>`;

beforeEach(() => {
  sent = [];
  signInAs();
  fillDicts({
    bpm_model_form_type: { 10: "流程表单", 20: "业务表单" },
    bpm_task_assign_script: { 10: "流程发起人", 20: "一级领导" },
  });
  server.use(
    http.get(api("/bpm/category/simple-list"), () => ok([{ id: 1, name: "财务", code: "finance" }])),
    list("system/user", [{ id: 3, nickname: "陈远" }]),
    list("system/role", [{ id: 5, name: "培养办" }]),
    list("system/dept", [{ id: 6, name: "信息学院" }]),
    list("bpm/form", [{ id: 8, name: "请假单" }]),
    http.get(api("/bpm/process-expression/page"), () =>
      // biome-ignore lint/suspicious/noTemplateCurlyInString: an expression of a process
      ok({ list: [{ id: 9, name: "经办人", expression: "${handler}" }], total: 1 }),
    ),
    http.get(api("/bpm/model/get"), () => ok({ ...model, bpmnXml: xml("leave", "请假") })),
    http.put(api("/bpm/model/update-state"), keep),
    http.put(api("/bpm/model/update-bpmn"), keep),
    http.put(api("/bpm/model/update"), keep),
    http.post(api("/bpm/model/create"), keep),
    http.post(api("/bpm/model/import"), keep),
    http.post(api("/bpm/model/deploy"), keep),
    http.post(api("/bpm/task-assign-rule/create"), keep),
    http.put(api("/bpm/task-assign-rule/update"), keep),
  );
});

async function serious(container: Element): Promise<string[]> {
  const { violations } = await axe.run(container, {
    rules: { "color-contrast": { enabled: false }, region: { enabled: false } },
  });
  const bad = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
  return bad.map((item) => `${item.id}: ${item.nodes.map((node) => node.html).join(" ")}`);
}

describe("the list of models", () => {
  test("shows version, state, category and form, and is accessible", async () => {
    serve([model, { ...model, id: "8", name: "草稿", processDefinition: null, hasDiagram: false }]);
    const { container } = renderPage(<ModelPage />);
    await screen.findAllByText("请假");
    expect(screen.getAllByText("财务").length).toBeGreaterThan(0);
    screen.getByText(/v2/);
    screen.getByText("未发布");
    expect(screen.getAllByText("/bpm/oa/leave/create").length).toBeGreaterThan(0);
    expect(screen.getByRole("switch", { name: "请假：可发起" }).getAttribute("aria-checked")).toBe("true");
    expect(await serious(container)).toEqual([]);
  });

  test("who may only look sees no acts that change", async () => {
    signInAs({ permissions: ["bpm:model:query"] });
    serve([model]);
    renderPage(<ModelPage />);
    await screen.findAllByText("请假");
    expect(screen.queryByRole("switch")).toBeNull();
    for (const name of ["发布 请假", "编辑 请假", "删除 请假", "导入文件", "新建流程模型"])
      expect(screen.queryByRole("button", { name }), name).toBeNull();
  });

  test("suspending asks first, activating does not", async () => {
    serve([model]);
    renderPage(<ModelPage />);
    fireEvent.click(await screen.findByRole("switch"));
    const question = await screen.findByText(/不能再发起新流程；审批中的 2 个流程继续办理/);
    expect(sent).toEqual([]);
    serve([{ ...model, processDefinition: { ...definition, suspensionState: 2 } }]);
    fireEvent.click(
      within(question.closest("[role=dialog]") as HTMLElement).getByRole("button", { name: /^挂\s?起$/ }),
    );
    await waitFor(() =>
      expect(sent).toEqual([{ call: "PUT /bpm/model/update-state", body: { id: "7", state: 2 } }]),
    );
    fireEvent.click(await screen.findByRole("switch", { name: "请假：已挂起" }));
    await waitFor(() => expect(sent[1]?.body).toEqual({ id: "7", state: 1 }));
  });

  test("the category filter and the versions lead where they say", async () => {
    const asked: string[] = [];
    server.use(
      http.get(api("/bpm/model/page"), ({ request }) => {
        asked.push(new URL(request.url).searchParams.get("category") ?? "");
        return ok({ list: [model], total: 1 });
      }),
    );
    const { router } = renderPage(<ModelPage />, "/bpm/manager/model?category=finance");
    await screen.findAllByText("请假");
    expect(asked[0]).toBe("finance");
    await act("历史版本");
    await waitFor(() =>
      expect(router.state.location.pathname + router.state.location.search).toBe(
        "/bpm/manager/definition?key=leave",
      ),
    );
  });

  test("a form of one kind locks the fields of the other; the key stays", async () => {
    serve([model]);
    renderPage(<ModelPage />);
    await screen.findAllByText("请假");
    await act("编辑");
    const drawer = await screen.findByRole("dialog");
    const path = await within(drawer).findByDisplayValue("/bpm/oa/leave/create");
    expect(within(drawer).getByDisplayValue("leave")).toHaveProperty("disabled", true);
    expect(within(drawer).getByLabelText(/流程表单/, { selector: "input" })).toHaveProperty("disabled", true);
    fireEvent.change(path, { target: { value: "/bpm/oa/leave/new" } });
    fireEvent.click(within(drawer).getByRole("button", { name: /保\s?存/ }));
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(sent[0]?.body).toMatchObject({
      id: "7",
      version: 3,
      formType: 20,
      formCustomCreatePath: "/bpm/oa/leave/new",
    });
  });
});

describe("deploying", () => {
  beforeEach(() => serve([model]));

  test("what is fine is deployed as the next version", async () => {
    server.use(http.get(api("/bpm/model/problems"), () => ok([hint])));
    renderPage(<ModelPage />);
    await screen.findAllByText("请假");
    await act("发布");
    const dialog = await screen.findByRole("dialog");
    await within(dialog).findByText("检查通过，可以发布为 v3");
    within(dialog).getByText("只是提示");
    fireEvent.click(within(dialog).getByRole("button", { name: "发布为 v3" }));
    await waitFor(() => expect(sent).toEqual([{ call: "POST /bpm/model/deploy?id=7", body: "" }]));
    await screen.findByText("「请假」已发布为 v3");
  });

  test("problems are listed with element and line, and can be checked again", async () => {
    server.use(http.get(api("/bpm/model/problems"), () => ok([hint, problem])));
    renderPage(<ModelPage />);
    await screen.findAllByText("请假");
    await act("发布");
    const dialog = await screen.findByRole("dialog");
    await within(dialog).findByText("有 1 处问题，修改后才能发布");
    const items = within(within(dialog).getByRole("list", { name: "问题列表" })).getAllByRole("listitem");
    expect(items[0]?.textContent).toContain("任务“审核”没有可用的分配规则");
    expect(items[0]?.textContent).toContain("元素 check（userTask） · 第 12 行");
    expect(items[1]?.textContent).toContain("流程模型");
    expect(await serious(dialog)).toEqual([]);
    server.use(http.get(api("/bpm/model/problems"), () => ok([])));
    fireEvent.click(within(dialog).getByRole("button", { name: "重新检查" }));
    await within(dialog).findByText("检查通过，可以发布为 v3");
    expect(sent).toEqual([]);
  });

  test("a refusal shows the list it carries", async () => {
    server.use(
      http.get(api("/bpm/model/problems"), () => ok([])),
      http.post(api("/bpm/model/deploy"), () =>
        failure(1009002004, "任务“审核”没有分配", { data: { problems: [problem] } }),
      ),
    );
    renderPage(<ModelPage />);
    await screen.findAllByText("请假");
    await act("发布");
    await screen.findByText("检查通过，可以发布为 v3");
    fireEvent.click(screen.getByRole("button", { name: "发布为 v3" }));
    const dialog = screen.getByRole("dialog");
    await within(dialog).findByText("任务“审核”没有分配");
    within(dialog).getByText(/没有可用的分配规则/);
    within(dialog).getByRole("button", { name: "重新检查" });
  });
});

describe("process files", () => {
  beforeEach(() => serve([model]));

  test("a new model takes key and name from the file", async () => {
    renderPage(<ModelPage />);
    fireEvent.click(await screen.findByRole("button", { name: "导入文件" }));
    const dialog = await screen.findByRole("dialog");
    fireEvent.click(within(dialog).getByRole("button", { name: "导入为新模型" }));
    await within(dialog).findByText("请先选择 BPMN 文件");
    drop(dialog, file("报销.bpmn", xml("expense", "")));
    await within(dialog).findByDisplayValue("expense");
    fireEvent.change(within(dialog).getByDisplayValue("报销"), { target: { value: "费用报销" } });
    fireEvent.click(within(dialog).getByRole("button", { name: "导入为新模型" }));
    await waitFor(() => expect(sent).toHaveLength(1));
    for (const part of [
      'name="key"',
      "expense",
      'name="name"',
      "费用报销",
      'filename="报销.bpmn"',
      "<process",
    ])
      expect(String(sent[0]?.body)).toContain(part);
    expect(String(sent[0]?.body)).not.toContain('name="category"');
  });

  test("refused fields are told at their place", async () => {
    server.use(
      http.post(api("/bpm/model/import"), () =>
        failure(1009002000, "流程标识“expense”已被其他模型使用", {
          fields: [{ name: "key", message: "流程标识“expense”已被其他模型使用" }],
        }),
      ),
    );
    renderPage(<ModelPage />);
    fireEvent.click(await screen.findByRole("button", { name: "导入文件" }));
    const dialog = await screen.findByRole("dialog");
    drop(dialog, file("a.xml", xml("expense", "报销")));
    await within(dialog).findByDisplayValue("expense");
    fireEvent.click(within(dialog).getByRole("button", { name: "导入为新模型" }));
    await within(dialog).findByText("流程标识“expense”已被其他模型使用");
  });

  test("replacing warns of another key and sends the version", async () => {
    renderPage(<ModelPage />);
    await screen.findAllByText("请假");
    await act("更换流程图");
    const dialog = await screen.findByRole("dialog");
    drop(dialog, file("b.bpmn", xml("other", "别的")));
    await within(dialog).findByText(/文件中的流程是 别的（other），与模型 请假（leave）不同/);
    fireEvent.click(within(dialog).getByRole("button", { name: "更换流程图" }));
    const body = { id: "7", version: 3, bpmnXml: xml("other", "别的") };
    await waitFor(() => expect(sent).toEqual([{ call: "PUT /bpm/model/update-bpmn", body }]));
  });

  test("the text can be read and has its own failure", async () => {
    const view = renderPage(<ModelPage />);
    await screen.findAllByText("请假");
    await act("查看 XML");
    expect(await screen.findByLabelText("流程文件内容")).toHaveProperty("value", xml("leave", "请假"));
    expect(screen.getByLabelText("流程文件内容")).toHaveProperty("readOnly", true);
    view.unmount();
    server.use(http.get(api("/bpm/model/get"), () => failure(1009002001, "流程模型不存在")));
    renderPage(<ModelPage />);
    await screen.findAllByText("请假");
    await act("查看 XML");
    await screen.findByText("流程模型不存在");
  });
});

describe("assignment rules", () => {
  beforeEach(() => serve([model]));

  async function open(rules: object[]): Promise<HTMLElement> {
    server.use(http.get(api("/bpm/task-assign-rule/list"), () => ok(rules)));
    renderPage(<ModelPage />);
    await screen.findAllByText("请假");
    await act("分配规则");
    return screen.findByRole("dialog");
  }

  async function choose(label: string, text: string): Promise<void> {
    fireEvent.mouseDown(screen.getByLabelText(label));
    const options = await screen.findAllByText(text, { selector: ".ant-select-item-option-content" });
    fireEvent.click(options.at(-1) as HTMLElement);
  }

  test("a new rule is made, a present one changed, each by its call", async () => {
    const drawer = await open([
      rule,
      { ...rule, id: 4, taskDefinitionKey: "hr", taskDefinitionName: "人事", type: 36 },
    ]);
    await within(drawer).findByText("审核");
    await choose("审核 的规则", "角色");
    fireEvent.click(within(drawer).getByRole("button", { name: "保存规则" }));
    await within(drawer).findByText("请选择至少一项");
    expect(sent).toEqual([]);
    await choose("审核 的范围", "培养办");
    await choose("人事 的规则", "内置脚本");
    await choose("人事 的范围", "一级领导");
    fireEvent.click(within(drawer).getByRole("button", { name: "保存规则" }));
    await waitFor(() => expect(sent).toHaveLength(2));
    expect(sent).toEqual([
      {
        call: "POST /bpm/task-assign-rule/create",
        body: { modelId: "7", taskDefinitionKey: "check", type: 10, options: [5] },
      },
      { call: "PUT /bpm/task-assign-rule/update", body: { id: 4, type: 50, options: [20] } },
    ]);
    await screen.findByText("已保存「请假」的分配规则");
  });

  test("what the server refuses stays with its task", async () => {
    server.use(http.post(api("/bpm/task-assign-rule/create"), () => failure(400, "所选的项已停用")));
    const drawer = await open([rule]);
    await within(drawer).findByText("审核");
    await choose("审核 的规则", "发起人本人");
    expect(within(drawer).queryByLabelText("审核 的范围")).toBeNull();
    fireEvent.click(within(drawer).getByRole("button", { name: "保存规则" }));
    await within(within(drawer).getByRole("region", { name: "审核" })).findByText("所选的项已停用");
    within(drawer).getByText("未保存");
  });

  test("what the diagram says is shown, not edited", async () => {
    const drawer = await open([
      {
        ...rule,
        diagramStrategy: "THESIS_COLLEGE_ROLE",
        diagramParam: "secretary",
        diagramTitle: "学院角色",
      },
      { ...rule, taskDefinitionKey: "b", taskDefinitionName: "会签", diagramAssignee: "u1, u2" },
    ]);
    await within(drawer).findByText("由流程图指定：学院角色（secretary）");
    expect(within(drawer).queryByLabelText("审核 的规则")).toBeNull();
    within(drawer).getByText(/流程图中已写明 u1, u2/);
    within(drawer).getByLabelText("会签 的规则");
    expect(await serious(drawer)).toEqual([]);
  });
});

describe("the versions", () => {
  const row = {
    id: "leave:2:a",
    key: "leave",
    name: "请假",
    version: 2,
    description: "",
    categoryName: "财务",
    formType: 10,
    formName: "请假单",
    formCustomCreatePath: "",
    suspensionState: 2,
    deploymentTime: 1795240920000,
    modelId: "7",
  };

  test("of one key, with text and rules that cannot be changed", async () => {
    const asked: (string | null)[] = [];
    server.use(
      http.get(api("/bpm/process-definition/page"), ({ request }) => {
        asked.push(new URL(request.url).searchParams.get("key"));
        return ok({ list: [row], total: 1 });
      }),
      http.get(api("/bpm/process-definition/get-bpmn-xml"), () => ok(xml("leave", "旧版"))),
      http.get(api("/bpm/task-assign-rule/list"), ({ request }) => {
        asked.push(new URL(request.url).searchParams.get("processDefinitionId"));
        return ok([{ ...rule, id: 4, type: 60, options: [9] }]);
      }),
    );
    const { container } = renderPage(<DefinitionPage />, "/bpm/manager/definition?key=leave");
    await screen.findByText("已挂起");
    screen.getByText("v2");
    screen.getByText("请假单");
    expect(asked[0]).toBe("leave");
    expect(await serious(container)).toEqual([]);
    screen.getByRole("button", { name: "查看流程图 请假 v2" });
    await act("查看 XML");
    expect(await screen.findByLabelText("流程文件内容")).toHaveProperty("value", xml("leave", "旧版"));
    fireEvent.click(screen.getByRole("button", { name: /close/i }));
    fireEvent.click(screen.getByRole("button", { name: "分配规则 请假 v2" }));
    await screen.findByText("经办人");
    expect(asked.at(-1)).toBe("leave:2:a");
    expect(screen.queryByRole("button", { name: "保存规则" })).toBeNull();
  });
});
