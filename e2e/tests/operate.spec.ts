import { call, signInByCall } from "../support/api";
import { axe, faults } from "../support/axe";
import { choose, dialog, openMenu } from "../support/controls";
import { expect, test } from "../support/test";

/** A process file of elements one after another, between a start and an end. */
function file(key: string, name: string, elements: { id: string; xml: string }[]): string {
  const ids = ["start", ...elements.map(({ id }) => id), "end"];
  const flows = ids
    .slice(1)
    .map((to, at) => `<sequenceFlow id="f${at}" sourceRef="${ids[at]}" targetRef="${to}"/>`);
  return [
    '<?xml version="1.0" encoding="UTF-8"?><definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL"',
    ' xmlns:flowable="http://flowable.org/bpmn" targetNamespace="t">',
    `<process id="${key}" name="${name}" isExecutable="true"><startEvent id="start"/><endEvent id="end"/>`,
    ...elements.map(({ xml }) => xml),
    ...flows,
    "</process></definitions>",
  ].join("");
}

const decided = (id: string, name: string, by: number) => ({
  id,
  xml: `<userTask id="${id}" name="${name}" flowable:candidateStrategy="30" flowable:candidateParam="${by}"/>`,
});

const failing = {
  id: "share",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: an expression of a process looks like one
  xml: '<serviceTask id="share" name="分摊费用" flowable:expression="${10 / people}" flowable:resultVariable="each"/>',
};

interface Admin {
  token: string;
  id: number;
}

async function administrator(): Promise<Admin> {
  const { accessToken: token, userId: id } = await signInByCall("admin");
  return { token, id };
}

/** Makes and deploys a model and gives its id and that of the version. */
async function publish({ token }: Admin, key: string, name: string, bpmnXml: string) {
  const body = {
    key,
    name,
    category: "thesis",
    formType: 20,
    formCustomCreatePath: "/a",
    formCustomViewPath: "/b",
    bpmnXml,
  };
  const model = await call<string>("POST", "/bpm/model/create", { token, body });
  await call("POST", `/bpm/model/deploy?id=${model}`, { token });
  return { model, definition: await newest(token, key) };
}

async function newest(token: string, key: string): Promise<string> {
  return (await call<{ id: string }>("GET", `/bpm/process-definition/get?key=${key}`, { token })).id;
}

function start({ token }: Admin, processDefinitionId: string, variables: object): Promise<string> {
  return call<string>("POST", "/bpm/process-instance/create", {
    token,
    body: { processDefinitionId, variables },
  });
}

/** Approves the open task of an instance. */
async function approve({ token }: Admin, instance: string): Promise<void> {
  const tasks = await call<{ id: string; endTime: number | null }[]>(
    "GET",
    `/bpm/task/list-by-process-instance-id?processInstanceId=${instance}`,
    { token },
  );
  const id = tasks.find(({ endTime }) => endTime === null)?.id;
  await call("PUT", "/bpm/task/approve", { token, body: { id, reason: "同意" } });
}

test("a step that fails is mended and retried, and the process ends", async ({ as }) => {
  const admin = await administrator();
  const name = "费用分摊";
  const key = `share_${Date.now().toString(36)}`;
  const xml = file(key, name, [failing, decided("check", "财务复核", admin.id)]);
  const { definition } = await publish(admin, key, name, xml);
  const instance = await start(admin, definition, { people: 0 });

  const page = await as("admin");
  await page.addInitScript(axe);
  await page.goto("/");
  await openMenu(page, "工作流程", "流程管理", "流程异常");
  const row = page.getByRole("row", { name: /费用分摊.*分摊费用.*表达式出错/ });
  await expect(row).toBeVisible();
  expect(await faults(page)).toEqual([]);
  await row.getByRole("button", { name: /^查看/ }).click();
  const drawer = page.getByRole("dialog");
  await expect(drawer.getByRole("heading", { name: "失败记录" })).toBeVisible();
  await expect(drawer.getByText(/除数为零/).first()).toBeVisible();
  await drawer
    .getByRole("button", { name: "Close" })
    .or(drawer.getByRole("button", { name: "关闭" }))
    .first()
    .click();

  // Tried without mending anything it fails again.
  await row.getByRole("button", { name: /^重试/ }).click();
  const again = dialog(page, "重试「分摊费用」");
  await again.getByLabel(/理由/).fill("再试一次");
  await again.getByRole("button", { name: /重\s?试/ }).click();
  await expect(page.getByText(/重试后仍然失败/)).toBeVisible();

  await row.getByRole("button", { name: /更多/ }).click();
  await page.getByRole("menuitem", { name: "运行状况" }).click();
  await page.getByRole("button", { name: "修改 people" }).click();
  const change = dialog(page, "修改变量 people");
  await change.getByLabel("新值").fill("4");
  await change.getByLabel(/理由/).fill("人数漏填");
  await change.getByRole("button", { name: "保存变量" }).click();
  await expect(page.getByText("已保存变量 people")).toBeVisible();
  expect(await faults(page)).toEqual([]);
  await page
    .getByRole("dialog", { name: name })
    .getByRole("button", { name: /Close|关闭/ })
    .first()
    .click();

  await row.getByRole("button", { name: /^重试/ }).click();
  const last = dialog(page, "重试「分摊费用」");
  await last.getByLabel(/理由/).fill("人数已补");
  await last.getByRole("button", { name: /重\s?试/ }).click();
  await expect(page.getByText("重试成功，流程已继续")).toBeVisible();
  await expect(row).toHaveCount(0);

  await approve(admin, instance);
  await openMenu(page, "工作流程", "流程管理", "流程实例");
  const done = page.getByRole("row", { name: /费用分摊/ });
  await expect(done).toContainText("审批通过");

  await page.goto(`/bpm/manager/statistics?processDefinitionKey=${key}`);
  const steps = page.getByRole("region", { name: "各环节耗时" });
  await expect(steps.getByText("财务复核").first()).toBeVisible();
  await expect(page.getByText(/发起 1 · 结束 1/)).toBeVisible();
  await steps.getByText("表", { exact: true }).click();
  await expect(steps.getByRole("row", { name: /财务复核/ })).toBeVisible();
  expect(await faults(page)).toEqual([]);
});

test("running instances migrate; one that does not fit is told, mapped and goes too", async ({ as }) => {
  const admin = await administrator();
  const name = "设备采购";
  const key = `buy_${Date.now().toString(36)}`;
  const college = decided("college", "学院意见", admin.id);
  const old = await publish(
    admin,
    key,
    name,
    file(key, name, [college, decided("office", "资产处意见", admin.id)]),
  );
  const early = await start(admin, old.definition, {});
  const late = await start(admin, old.definition, {});
  await approve(admin, late);
  const bpmnXml = file(key, name, [college, decided("assets", "资产处审批", admin.id)]);
  await call("PUT", "/bpm/model/update-bpmn", { token: admin.token, body: { id: old.model, bpmnXml } });
  await call("POST", `/bpm/model/deploy?id=${old.model}`, { token: admin.token });

  const page = await as("admin");
  await page.addInitScript(axe);
  await page.goto("/");
  await openMenu(page, "工作流程", "流程管理", "流程迁移");
  await page.getByRole("button", { name: "新建迁移" }).first().click();
  const plan = page.getByRole("dialog", { name: "新建迁移" });
  const pick = async (label: string, option: RegExp) => {
    await plan.getByLabel(label, { exact: true }).click();
    await page.getByTitle(option).filter({ visible: true }).last().click();
  };
  await pick("流程", new RegExp(key));
  await pick("原版本", /^v1（/);
  await pick("目标版本", /^v2（/);
  await plan.getByRole("button", { name: /试\s?算/ }).click();
  await expect(plan.getByText("1 个可以迁移 · 1 个不能迁移")).toBeVisible();
  await expect(plan.getByText("「资产处意见」新版本中没有对应的节点")).toBeVisible();
  expect(await faults(page)).toEqual([]);
  await choose(plan, /资产处意见.*对应的新节点/, "资产处审批（assets）");
  await plan.getByRole("button", { name: /试\s?算/ }).click();
  await expect(plan.getByText("2 个可以迁移", { exact: true })).toBeVisible();
  await plan.getByRole("button", { name: "开始迁移" }).click();
  const ask = dialog(page, "开始迁移");
  await ask.getByLabel(/理由/).fill("采购制度更新");
  await ask.getByRole("button", { name: "开始迁移" }).click();
  await expect(page.getByText("已迁移 2，未迁移 0，共 2")).toBeVisible();

  for (const instance of [early, late]) {
    const { version } = await call<{ version: number }>(
      "GET",
      `/bpm/process-instance/get-manage-detail?id=${instance}`,
      { token: admin.token },
    );
    expect(version).toBe(2);
  }
  await approve(admin, late);
});
