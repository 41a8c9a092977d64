import { axe, faults } from "../support/axe";
import { choose, dialog } from "../support/controls";
import { expect, type Page, phone, test } from "../support/test";

const address = "/bpm/manager/model/design";
const input = 'input[type=file][accept=".xml,.bpmn"]';
const tool = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const panel = (page: Page) => page.getByRole("complementary", { name: "属性" });

const uris = {
  camunda: "http://camunda.org/schema/1.0/bpmn",
  activiti: "http://activiti.org/bpmn",
  flowable: "http://flowable.org/bpmn",
} as const;
type Dialect = keyof typeof uris;

const kept = "<extensionElements><other:note>保留</other:note></extensionElements>";
const nodes: [tag: string, id: string, inner: string][] = [
  ["startEvent", "start", ""],
  ["userTask", "check", kept],
  ["exclusiveGateway", "fork", ""],
  ["scriptTask", "script", "<script>1</script>"],
  ["serviceTask", "service", kept],
  ["receiveTask", "receive", ""],
  ["businessRuleTask", "rule", ""],
  ["callActivity", "call", kept],
  ["endEvent", "end", '<errorEventDefinition id="ed" />'],
];

/** A process with an element of every kind, drawn in three rows. */
function fileOf(dialect: Dialect): string {
  const at = nodes.map(([, id], n) => ({ id, x: 200 + (n % 3) * 180, y: 100 + Math.floor(n / 3) * 160 }));
  const shapes = [...at, { id: "late", x: 420, y: 165 }].map(({ id, x, y }) => {
    const small = /Event$/.test(nodes.find(([, other]) => other === id)?.[0] ?? "Event");
    const [width, height] = small ? [36, 36] : id === "fork" ? [50, 50] : [100, 80];
    return `<bpmndi:BPMNShape id="${id}_di" bpmnElement="${id}"><dc:Bounds x="${x}" y="${y}" width="${width}" height="${height}"/></bpmndi:BPMNShape>`;
  });
  const flows = `<sequenceFlow id="first" sourceRef="start" targetRef="check"/><sequenceFlow id="go" name="走" sourceRef="check" targetRef="fork"/>`;
  const edges = `<bpmndi:BPMNEdge id="first_di" bpmnElement="first"><di:waypoint x="236" y="118"/><di:waypoint x="380" y="118"/></bpmndi:BPMNEdge><bpmndi:BPMNEdge id="go_di" bpmnElement="go"><di:waypoint x="480" y="125"/><di:waypoint x="560" y="125"/></bpmndi:BPMNEdge>`;
  const content = nodes.map(([tag, id, inner]) => `<${tag} id="${id}">${inner}</${tag}>`).join("");
  const late = `<boundaryEvent id="late" attachedToRef="check"><timerEventDefinition id="td"><timeDuration xsi:type="tFormalExpression">P1D</timeDuration></timerEventDefinition></boundaryEvent>`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:bpmndi="http://www.omg.org/spec/BPMN/20100524/DI" xmlns:dc="http://www.omg.org/spec/DD/20100524/DC" xmlns:di="http://www.omg.org/spec/DD/20100524/DI" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:${dialect}="${uris[dialect]}" xmlns:other="http://example.org/other" id="d" targetNamespace="t"><process id="p" name="流程" isExecutable="true" ${dialect}:candidateStarterUsers="1">${content}${late}${flows}</process><bpmndi:BPMNDiagram id="diagram"><bpmndi:BPMNPlane id="plane" bpmnElement="p">${shapes.join("")}${edges}</bpmndi:BPMNPlane></bpmndi:BPMNDiagram></definitions>`;
}

async function open(page: Page, dialect: Dialect): Promise<void> {
  await page.goto(address);
  await expect(page.locator(".designer-sheet svg[tabindex]").first()).toBeVisible();
  await page.setInputFiles(input, {
    name: "p.bpmn",
    mimeType: "application/xml",
    buffer: Buffer.from(fileOf(dialect)),
  });
  await expect(page.locator('[data-element-id="check"]').first()).toBeVisible();
}

/** What would be written now. */
async function xmlOf(page: Page): Promise<string> {
  await tool(page, "预览").click();
  await page.getByRole("menuitem", { name: "XML", exact: true }).click();
  const shown = dialog(page, "预览 XML");
  const text = await shown.locator("pre").innerText();
  await shown.getByRole("button", { name: "关闭" }).click();
  await expect(shown).toBeHidden();
  return text;
}

async function select(page: Page, id: string): Promise<void> {
  const drawn = page.locator(`.designer-sheet .djs-element[data-element-id="${id}"] .djs-hit`).first();
  if (id === "p")
    await page
      .locator(".designer-sheet svg[tabindex]")
      .first()
      .click({ position: { x: 160, y: 20 } });
  // A second click on what is selected takes the selection away.
  else if ((await page.locator(`.designer-sheet .selected[data-element-id="${id}"]`).count()) === 0)
    await drawn.dispatchEvent("click");
}

async function section(page: Page, title: string): Promise<void> {
  const header = panel(page).getByRole("button", { name: title, exact: true });
  if ((await header.getAttribute("aria-expanded")) !== "true") await header.click();
}

async function fill(page: Page, label: string, text: string): Promise<void> {
  const field = panel(page).getByLabel(label, { exact: true });
  await field.fill(text);
  await field.blur();
}

async function save(page: Page, title: string, values: Record<string, string>): Promise<void> {
  for (const [label, text] of Object.entries(values))
    await dialog(page, title).getByLabel(labelled(label)).fill(text);
  await tool(page, "保存到流程图").click();
  await expect(dialog(page, title)).toBeHidden();
}

const addListener = (page: Page, title: string) =>
  panel(page).getByRole("region", { name: title }).getByRole("button", { name: "添加监听器" }).click();

/** A label of a dialog, with the marks that forms add to it. */
const labelled = (label: string) => new RegExp(`^${label}( \\*|（选填）)?$`);

interface Step {
  id: string;
  title: string;
  act: (page: Page) => Promise<void>;
  has: string[];
}

const steps: Step[] = [
  { id: "p", title: "基本信息", act: (page) => fill(page, "流程名称", "新名"), has: ['name="新名"'] },
  {
    id: "p",
    title: "流程属性",
    act: (page) => fill(page, "可发起的用户", "1,2"),
    has: ['P:candidateStarterUsers="1,2"'],
  },
  {
    id: "p",
    title: "消息与信号",
    act: async (page) => {
      await tool(page, "创建消息").click();
      await save(page, "创建消息", { 编号: "m1", 名称: "催办" });
    },
    has: ['<message id="m1" name="催办" />'],
  },
  {
    id: "go",
    title: "流转条件",
    act: (page) => choose(panel(page), "流转类型", "条件流转"),
    has: ["<conditionExpression"],
  },
  {
    id: "check",
    title: "审批设置",
    act: (page) => choose(panel(page), "由谁审批", "发起人本人"),
    has: ['P:candidateStrategy="36"', "<other:note>"],
  },
  {
    id: "check",
    title: "表单",
    act: (page) => fill(page, "表单标识", "apply"),
    has: ['P:formKey="apply"', "<other:note>"],
  },
  {
    id: "check",
    title: "任务",
    act: (page) => fill(page, "到期时间", "P3D"),
    has: ['P:dueDate="P3D"', "<other:note>"],
  },
  { id: "script", title: "任务", act: (page) => fill(page, "脚本", "2"), has: ["<script>2</script>"] },
  {
    id: "service",
    title: "任务",
    act: async (page) => choose(panel(page), "执行方式", "表达式"),
    has: ['P:expression=""', "<other:note>"],
  },
  {
    id: "receive",
    title: "任务",
    act: async (page) => {
      await tool(page, "创建消息").click();
      await save(page, "创建消息", { 编号: "m2" });
    },
    has: ['messageRef="m2"'],
  },
  {
    id: "rule",
    title: "业务规则",
    act: (page) => choose(panel(page), "执行方式", "决策"),
    has: ['P:decisionRef=""'],
  },
  {
    id: "call",
    title: "调用活动",
    act: (page) => fill(page, "被调用的流程", "sub"),
    has: ['calledElement="sub"', "<other:note>"],
  },
  {
    id: "call",
    title: "变量传递",
    act: async (page) => {
      await tool(page, "添加输入").click();
      await save(page, "添加输入", { 来源: "a", 目标: "b" });
    },
    has: ['<P:in source="a" target="b" />', "<other:note>"],
  },
  {
    id: "late",
    title: "定时器",
    act: (page) => fill(page, "定时配置", "PT2H"),
    has: ["PT2H</timeDuration>"],
  },
  {
    id: "late",
    title: "超时处理",
    act: (page) => choose(panel(page), "任务超时未审批时", "自动提醒"),
    has: ["<P:timeoutHandlerType>1<"],
  },
  {
    id: "late",
    title: "事件定义",
    act: (page) => panel(page).getByLabel("触发时中断任务").click(),
    has: ['cancelActivity="false"'],
  },
  {
    id: "end",
    title: "错误",
    act: async (page) => {
      await tool(page, "创建错误").click();
      await save(page, "创建错误", { 编号: "e1" });
    },
    has: ['<error id="e1" />', 'errorRef="e1"'],
  },
  {
    id: "check",
    title: "多实例",
    act: (page) => choose(panel(page), "回路特性", "并行多实例"),
    has: [`P:collection="\${coll_userList}"`, "<other:note>"],
  },
  {
    id: "check",
    title: "异步",
    act: (page) => panel(page).getByLabel("异步前", { exact: true }).click(),
    has: ['P:asyncBefore="true"', "<other:note>"],
  },
  {
    id: "check",
    title: "执行监听器",
    act: async (page) => {
      await addListener(page, "执行监听器");
      await choose(dialog(page, "添加监听器"), "事件类型", "结束");
      await choose(dialog(page, "添加监听器"), "监听器类型", "表达式");
      await save(page, "添加监听器", { 表达式: "x" });
    },
    has: ["<P:executionListener", 'expression="x"', "<other:note>"],
  },
  {
    id: "check",
    title: "任务监听器",
    act: async (page) => {
      await addListener(page, "任务监听器");
      await choose(dialog(page, "添加监听器"), "事件类型", "创建");
      await choose(dialog(page, "添加监听器"), "监听器类型", "处理程序");
      await save(page, "添加监听器", { 监听器编号: "l1", 处理程序: "notify" });
    },
    has: ["<P:taskListener", 'class="notify"', 'id="l1"', "<other:note>"],
  },
  {
    id: "check",
    title: "流程模型扩展",
    act: async (page) => {
      await tool(page, "添加按钮").click();
      await choose(dialog(page, "添加按钮"), "动作", "同意");
      await save(page, "添加按钮", { 名称: "好" });
    },
    has: ['<P:button id="1" name="好" code="approve" sort="1" />', "<other:note>"],
  },
  {
    id: "check",
    title: "扩展属性",
    act: async (page) => {
      await tool(page, "添加属性").click();
      await save(page, "添加属性", { 属性名称: "k", 属性值: "v" });
    },
    has: ['<P:property name="k" value="v" />', "<other:note>"],
  },
  {
    id: "check",
    title: "其他",
    act: (page) => fill(page, "元素文档", "说明"),
    has: ["说明</documentation>"],
  },
];

for (const dialect of Object.keys(uris) as Dialect[]) {
  test(`each section changes a file of ${dialect}, and undo gives it back`, async ({ as }) => {
    const page = await as("admin");
    await open(page, dialect);
    const before = await xmlOf(page);
    for (const { id, title, act, has } of steps) {
      await test.step(`${title} of ${id}`, async () => {
        await select(page, id);
        await section(page, title);
        await act(page);
        const after = await xmlOf(page);
        for (const text of has) expect(after).toContain(text.replaceAll("P:", `${dialect}:`));
        await tool(page, "撤销").click();
        expect(await xmlOf(page)).toBe(before);
        await expect(tool(page, "撤销")).toBeDisabled();
      });
    }
  });
}

test("the panel is reached by keyboard, resized, warned by the parser and free of faults", async ({ as }) => {
  const page = await as("admin");
  await page.addInitScript(axe);
  await open(page, "flowable");
  await select(page, "check");
  for (const title of ["审批设置", "表单", "任务", "多实例", "异步", "任务监听器", "流程模型扩展"])
    await section(page, title);
  expect(await faults(page)).toEqual([]);
  await fill(page, "到期时间", "${day >}");
  await expect(panel(page).getByText(/第 \d+ 个字符/)).toBeVisible();
  const edge = page.getByRole("separator", { name: "调整属性面板的宽度" });
  await expect(edge).toHaveAttribute("aria-valuenow", "480");
  await edge.focus();
  await page.keyboard.press("ArrowLeft");
  await expect(edge).toHaveAttribute("aria-valuenow", "504");
  // Keys of the canvas belong to it alone.
  const field = panel(page).getByLabel("到期时间", { exact: true });
  await field.focus();
  await page.keyboard.press("Delete");
  await page.keyboard.press("Backspace");
  await expect(page.locator('.djs-shape[data-element-id="check"]')).toBeVisible();
  await page.reload();
  await expect(edge).toHaveAttribute("aria-valuenow", "504");
});

test("on a phone the panel is a drawer", async ({ as }) => {
  const page = await as("admin", { viewport: phone });
  await page.addInitScript(axe);
  await open(page, "camunda");
  await tool(page, "属性").click();
  await expect(page.getByRole("dialog", { name: "属性" })).toBeVisible();
  await page.getByLabel("流程名称").fill("手机上的名字");
  await page.getByLabel("流程名称").blur();
  expect(await faults(page)).toEqual([]);
  await page.getByRole("dialog", { name: "属性" }).getByRole("button", { name: "关闭" }).click();
  expect(await xmlOf(page)).toContain("手机上的名字");
});
