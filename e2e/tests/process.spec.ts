import { readFileSync } from "node:fs";
import { type Account, throwAway } from "../support/accounts";
import { call, signInByCall } from "../support/api";
import { axe, faults } from "../support/axe";
import { dialog } from "../support/controls";
import { deployProcess, importProcess, letDecide, processFile } from "../support/processes";
import { expect, type Page, phone, test } from "../support/test";

const fields = [
  { type: "input", field: "purpose", title: "用途", $required: true },
  { type: "input", field: "note", title: "备注" },
];

interface Started {
  starter: Account;
  first: Account;
  second: Account;
  /** Address of the detail page. */
  address: string;
}

let keys = 0;

/** Somebody applied for something; two others decide one after another. */
async function started(): Promise<Started> {
  const { accessToken: token } = await signInByCall("admin");
  const [starter, first, second] = [
    await throwAway("申请人甲"),
    await throwAway("审批人乙"),
    await throwAway("审批人丙"),
  ];
  await letDecide([starter, first, second]);
  keys += 1;
  const key = `seal_${Date.now().toString(36)}_${keys}`;
  const xml = processFile(key, "用章申请", [
    { id: "start", type: "startEvent", name: "提交" },
    { id: "college", type: "userTask", name: "学院审批", decider: first.id, documentation: "核对用途" },
    { id: "office", type: "userTask", name: "学位办审批", decider: second.id },
    { id: "end", type: "endEvent", name: "办结" },
  ]);
  const model = await importProcess(token, key, "用章申请", xml);
  const processDefinitionId = await deployProcess(token, model, fields);
  const own = await signInByCall(starter.username, starter.password);
  const id = await call<string>("POST", "/bpm/process-instance/create", {
    token: own.accessToken,
    body: { processDefinitionId, variables: { purpose: "成绩单盖章" } },
  });
  return { starter, first, second, address: `/bpm/process-instance/detail?id=${id}` };
}

const step = (page: Page, id: string) => page.locator(`.djs-element[data-element-id="${id}"]`);
const way = (page: Page) => page.getByRole("region", { name: "审批过程" });
const acts = (page: Page) => page.getByRole("toolbar", { name: "可执行的操作" });

test("a process is decided from its page, and who is late is told so", async ({ as }) => {
  const { starter, first, second, address } = await started();
  const page = await as(first.username, { secret: first.password });
  await page.addInitScript(axe);
  await page.goto(address);
  await expect(page.getByRole("heading", { level: 1, name: /用章申请/ })).toBeVisible();
  await expect(page.getByText("成绩单盖章")).toBeVisible();
  await expect(step(page, "college")).toHaveClass(/step-running/);
  await expect(step(page, "start")).toHaveClass(/step-approved/);
  await expect(step(page, "f0")).toHaveClass(/step-approved/);
  await expect(step(page, "office")).not.toHaveClass(/step-/);
  await expect(page.locator(".bjs-powered-by")).toBeVisible();
  expect(await faults(page)).toEqual([]);

  await step(page, "college").hover();
  const card = page.getByRole("tooltip");
  await expect(card).toContainText("核对用途");
  await expect(card).toContainText("审批人乙");
  expect(await faults(page)).toEqual([]);
  await step(page, "college").click();
  await expect(dialog(page, "审批记录：学院审批")).toContainText("审批人乙");
  await page.keyboard.press("Escape");

  // The same person has the page open somewhere else and goes on writing there.
  const stale = await as(first.username, { secret: first.password });
  await stale.goto(address);
  await acts(stale).getByRole("button", { name: "不通过" }).click();
  const late = dialog(stale, "不通过");
  await late.getByLabel("审批意见").fill("用途不明，请说明");

  await acts(page).getByRole("button", { name: "通过", exact: true }).click();
  const approve = dialog(page, "通过");
  await approve.getByLabel("审批意见").fill("材料齐全，<b>同意</b>");
  expect(await faults(page)).toEqual([]);
  await approve.getByRole("button", { name: "通过", exact: true }).click();
  await expect(approve).toBeHidden();
  await expect(step(page, "college")).toHaveClass(/step-approved/);
  await expect(step(page, "office")).toHaveClass(/step-running/);
  await expect(way(page)).toContainText("材料齐全，<b>同意</b>");

  await late.getByRole("button", { name: "不通过" }).click();
  await expect(late.getByRole("alert")).toContainText("「学院审批」已由 审批人乙 于");
  await expect(late.getByLabel("审批意见")).toHaveValue("用途不明，请说明");
  await expect(way(stale)).toContainText("材料齐全，<b>同意</b>");
  await expect(step(stale, "college")).toHaveClass(/step-approved/);

  const watcher = await as(starter.username, { secret: starter.password });
  await watcher.goto(address);
  await expect(way(watcher)).toContainText("审批人乙");
  await expect(way(watcher)).toContainText("材料齐全，<b>同意</b>");
  await expect(way(watcher)).toContainText("已等待");
  await acts(watcher).getByRole("button", { name: "催办" }).click();
  await dialog(watcher, "催办").getByRole("button", { name: "催办" }).click();
  await expect(way(watcher)).toContainText("申请人甲 · 催办");

  const last = await as(second.username, { secret: second.password, viewport: phone });
  await last.addInitScript(axe);
  await last.goto(address);
  await acts(last).getByRole("button", { name: "通过", exact: true }).click();
  const final = dialog(last, "通过");
  await final.getByRole("button", { name: "情况属实，同意" }).click();
  await final.getByRole("button", { name: "通过", exact: true }).click();
  await expect(last.locator(".ant-tag", { hasText: /^通过$/ }).first()).toBeVisible();
  expect(await faults(last)).toEqual([]);
  const wider = await last.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
  expect(wider).toBe(false);
  await watcher.reload();
  await expect(step(watcher, "end")).toHaveClass(/step-approved/);
});

test("the page goes to paper, the drawing into a file and to the whole screen", async ({ as }) => {
  const { starter, address } = await started();
  const page = await as(starter.username, {
    secret: starter.password,
    storage: { "theme-mode": "dark" },
  });
  await page.addInitScript(axe);
  await page.goto(address);
  await expect(step(page, "college")).toHaveClass(/step-running/);
  expect(await faults(page)).toEqual([]);

  // The drawing goes to paper alone, in a frame of its own.
  await page.evaluate(() => {
    const { append } = document.body;
    document.body.append = (...parts) => {
      append.apply(document.body, parts);
      const frame = document.querySelector<HTMLIFrameElement>("body > iframe[aria-hidden]");
      if (!frame?.contentWindow) return;
      frame.contentWindow.print = () => {
        document.body.dataset.printed = frame.contentDocument?.documentElement.outerHTML;
      };
    };
  });
  await page.getByRole("toolbar", { name: "流程图工具" }).getByRole("button", { name: "打印" }).click();
  await expect(page.locator("body")).toHaveAttribute("data-printed", /学院审批.*bjs-powered-by/s);

  const saving = page.waitForEvent("download");
  await page.getByRole("button", { name: "下载 SVG" }).click();
  const file = await saving;
  expect(file.suggestedFilename()).toMatch(/用章申请.*\.svg$/);
  const svg = readFileSync(await file.path(), "utf8");
  expect(svg).toContain("#1890ff");
  expect(svg).toContain("bpmn.io");
  expect(svg).not.toContain("var(--");

  const drawing = page.locator(".djs-container > svg");
  await drawing.focus();
  const seen = () => page.locator(".viewport").first().getAttribute("transform");
  const before = await seen();
  await page.keyboard.press("ArrowRight");
  await expect.poll(seen).not.toBe(before);
  await page.keyboard.press("0");
  await expect.poll(seen).toBe(before);
  const tools = page.getByRole("toolbar", { name: "流程图工具" });
  await tools.getByRole("button", { name: "流程图全屏" }).click();
  await tools.getByRole("button", { name: "退出全屏" }).click();
  await expect(tools.getByRole("button", { name: "流程图全屏" })).toBeVisible();

  await page.getByRole("button", { name: "打印" }).first().click();
  const sheet = dialog(page, "打印预览");
  await expect(sheet.getByText("成绩单盖章")).toBeVisible();
  const paper = (await page.pdf({ preferCSSPageSize: true })).toString("latin1");
  expect(/\/Type\s*\/Pages\b[^>]*\/Count (\d+)/.exec(paper)?.[1]).toBe("1");
  await page.emulateMedia({ media: "print" });
  await expect(sheet.getByRole("heading", { name: /用章申请/ })).toBeVisible();
  await expect(sheet.getByRole("button", { name: "打印" })).toBeHidden();
  await expect(acts(page)).toBeHidden();
});

test("script in a diagram is shown as text", async ({ as }) => {
  const { accessToken: token } = await signInByCall("admin");
  const script = "<script>window.hit=1</script><img src=x onerror=window.hit=2>";
  const key = `hostile_${Date.now().toString(36)}`;
  const xml = processFile(key, "脚本", [
    { id: "start", type: "startEvent", name: script },
    { id: "t_1", type: "userTask", name: script, documentation: script },
    { id: "end", type: "endEvent", name: "结束" },
  ]);
  await importProcess(token, key, `流程 ${key}`, xml);
  const page = await as("admin");
  await page.goto(`/bpm/manager/model?name=${key}`);
  const row = page.getByRole("row", { name: new RegExp(key) });
  await row.getByRole("button", { name: /更多/ }).click();
  await page.getByRole("menuitem", { name: "查看流程图" }).click();
  await step(page, "t_1").hover();
  await expect(page.getByRole("tooltip")).toContainText(script);
  await page.getByText("步骤清单（3 步，文字版）").click();
  await expect(page.getByRole("listitem").filter({ hasText: script }).first()).toBeVisible();
  expect(await page.evaluate(() => (window as { hit?: number }).hit)).toBeUndefined();
});
