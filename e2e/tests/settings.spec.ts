import { throwAway } from "../support/accounts";
import { call, signInByCall } from "../support/api";
import { axe, faults } from "../support/axe";
import { dialog, toast } from "../support/controls";
import { pdf } from "../support/files";
import { deployProcess, importProcess, letDecide, processFile } from "../support/processes";
import { expect, phone, test } from "../support/test";

const fields = [{ type: "input", field: "purpose", title: "用途", $required: true }];

test("settings of a model number and name what is started, and a decision takes files", async ({ as }) => {
  const { accessToken: token } = await signInByCall("admin");
  const [starter, decider] = [await throwAway("申请人丁"), await throwAway("审批人戊")];
  await letDecide([starter, decider]);
  const key = `numbered_${Date.now().toString(36)}`;
  const name = `编号申请${key.slice(-4)}`;
  const xml = processFile(key, name, [
    { id: "start", type: "startEvent", name: "提交" },
    { id: "check", type: "userTask", name: "审核", decider: decider.id },
    { id: "end", type: "endEvent", name: "办结" },
  ]);
  const model = await importProcess(token, key, name, xml);
  await deployProcess(token, model, fields);

  const page = await as("admin");
  await page.addInitScript(axe);
  await page.goto(`/bpm/manager/model?key=${key}`);
  const row = page.getByRole("row", { name: new RegExp(name) });
  await row.getByRole("button", { name: /更多/ }).click();
  await page.getByRole("menuitem", { name: "设置" }).click();
  const drawer = dialog(page, `设置：${name}`);
  await drawer.getByRole("switch", { name: /自动编号/ }).click();
  await drawer.getByLabel(/^前缀/).fill("BH");
  await expect(drawer.getByText(/^BH\d{8}0001$/)).toBeVisible();
  await drawer.getByRole("switch", { name: /自定义标题/ }).click();
  await drawer.getByRole("button", { name: "发起人", exact: true }).click();
  await drawer.getByLabel(/标题模板/).press("End");
  await drawer.getByLabel(/标题模板/).pressSequentially("的");
  await drawer.getByRole("button", { name: "用途", exact: true }).click();
  await drawer.getByText("任务办理后", { exact: true }).click();
  await drawer.getByLabel(/^地址/).last().fill("ftp://erp.example");
  await drawer.getByRole("button", { name: "保存设置" }).click();
  await expect(drawer.getByText(/请填写以 http/)).toBeVisible();
  await drawer.getByLabel(/^地址/).last().fill("");
  expect(await faults(page)).toEqual([]);
  await drawer.getByRole("button", { name: "保存设置" }).click();
  await expect(toast(page, `「${name}」的设置已保存`)).toBeVisible();
  await call("POST", `/bpm/model/deploy?id=${model}`, { token });

  const own = await signInByCall(starter.username, starter.password);
  const { id: processDefinitionId } = await call<{ id: string }>(
    "GET",
    `/bpm/process-definition/get?key=${key}`,
    { token },
  );
  const id = await call<string>("POST", "/bpm/process-instance/create", {
    token: own.accessToken,
    body: { processDefinitionId, variables: { purpose: "出国材料" } },
  });
  const last = await as(decider.username, {
    secret: decider.password,
    viewport: phone,
    storage: { "theme-mode": "dark" },
  });
  await last.addInitScript(axe);
  await last.goto(`/bpm/process-instance/detail?id=${id}`);
  await expect(last.getByRole("heading", { level: 1, name: "申请人丁的出国材料" })).toBeVisible();
  await expect(last.getByText(/^BH\d{8}0001$/).first()).toBeVisible();
  await last
    .getByRole("toolbar", { name: "可执行的操作" })
    .getByRole("button", { name: "通过", exact: true })
    .click();
  const approve = dialog(last, "通过");
  await approve.getByLabel(/审批意见/).fill("同意");
  await approve
    .locator("input[type=file]")
    .setInputFiles({ name: "意见.pdf", mimeType: "application/pdf", buffer: pdf("意见") });
  await expect(approve.getByText(/意见\.pdf/)).toBeVisible();
  expect(await faults(last)).toEqual([]);
  await approve.getByRole("button", { name: "通过", exact: true }).click();
  await expect(approve).toBeHidden();

  const watcher = await as(starter.username, { secret: starter.password });
  await watcher.goto(`/bpm/process-instance/detail?id=${id}`);
  const files = watcher.getByRole("list", { name: "附件" }).first();
  const download = watcher.waitForEvent("download");
  await files.getByRole("button", { name: /意见\.pdf/ }).click();
  expect((await download).suggestedFilename()).toBe("意见.pdf");
});
