import type { Account } from "./accounts";
import { call, serverAddress, signInByCall } from "./api";
import { university } from "./people";

interface Step {
  id: string;
  type: "startEvent" | "userTask" | "endEvent";
  name: string;
  /** Who decides a user task. */
  decider?: number;
  /** The starter chooses who decides it. */
  picked?: boolean;
  documentation?: string;
}

const escaped = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");

/** A process file of steps one after another, with its drawing. */
export function processFile(key: string, name: string, steps: readonly Step[]): string {
  const at = (index: number) => 100 + index * 180;
  const elements = steps.map(({ id, type, name: title, decider, picked, documentation = "" }) => {
    const named = decider ? `flowable:candidateStrategy="30" flowable:candidateParam="${decider}"` : "";
    const who = picked ? 'flowable:candidateStrategy="35"' : named;
    const words = documentation ? `<documentation>${escaped(documentation)}</documentation>` : "";
    return `<${type} id="${id}" name="${escaped(title)}" ${who}>${words}</${type}>`;
  });
  const shapes = steps.map(({ id, type }, index) => {
    const [width, height] = type === "userTask" ? [120, 80] : [36, 36];
    const bounds = `<dc:Bounds x="${at(index)}" y="${160 - height / 2}" width="${width}" height="${height}"/>`;
    return `<bpmndi:BPMNShape id="${id}_di" bpmnElement="${id}">${bounds}</bpmndi:BPMNShape>`;
  });
  const flows = steps.slice(1).map((to, index) => {
    const from = steps[index] as Step;
    return `<sequenceFlow id="f${index}" sourceRef="${from.id}" targetRef="${to.id}"/>`;
  });
  const edges = steps.slice(1).map((_, index) => {
    const begin = at(index) + (steps[index]?.type === "userTask" ? 120 : 36);
    const ends = `<di:waypoint x="${begin}" y="160"/><di:waypoint x="${at(index + 1)}" y="160"/>`;
    return `<bpmndi:BPMNEdge id="f${index}_di" bpmnElement="f${index}">${ends}</bpmndi:BPMNEdge>`;
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?><definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL"',
    ' xmlns:bpmndi="http://www.omg.org/spec/BPMN/20100524/DI" xmlns:dc="http://www.omg.org/spec/DD/20100524/DC"',
    ' xmlns:di="http://www.omg.org/spec/DD/20100524/DI" xmlns:flowable="http://flowable.org/bpmn" targetNamespace="t">',
    `<process id="${key}" name="${escaped(name)}" isExecutable="true">`,
    ...elements,
    ...flows,
    `</process><bpmndi:BPMNDiagram id="d"><bpmndi:BPMNPlane id="plane" bpmnElement="${key}">`,
    ...shapes,
    ...edges,
    "</bpmndi:BPMNPlane></bpmndi:BPMNDiagram></definitions>",
  ].join("\n");
}

/** Imports a process file as a new model, as the page does; gives the model's id. */
export async function importProcess(token: string, key: string, name: string, xml: string): Promise<string> {
  const body = new FormData();
  for (const [field, text] of Object.entries({ key, name, description: "", category: "thesis" })) {
    body.append(field, text);
  }
  body.append("bpmnFile", new Blob([xml]), `${key}.bpmn`);
  const response = await fetch(`${serverAddress()}/admin-api/bpm/model/import`, {
    method: "POST",
    headers: { "tenant-id": String(university.id), Authorization: `Bearer ${token}` },
    body,
  });
  const answer = (await response.json()) as { code: number; msg: string; data: string };
  if (answer.code !== 0) throw new Error(`import: ${answer.code} ${answer.msg}`);
  return answer.data;
}

/** Deploys a model with a form record of these fields; gives the version's id. */
export async function deployProcess(token: string, id: string, fields: readonly object[]): Promise<string> {
  const form = {
    name: `表单 ${id}`,
    conf: "{}",
    status: 0,
    fields: fields.map((one) => JSON.stringify(one)),
  };
  const formId = await call<number>("POST", "/bpm/form/create", { token, body: form });
  const model = await call<Record<string, unknown>>("GET", `/bpm/model/get?id=${id}`, { token });
  await call("PUT", "/bpm/model/update", { token, body: { ...model, formType: 10, formId } });
  await call("POST", `/bpm/model/deploy?id=${id}`, { token });
  const deployed = await call<{ id: string }>("GET", `/bpm/process-definition/get?key=${model.key}`, {
    token,
  });
  return deployed.id;
}

interface Menu {
  id: number;
  parentId: number;
  permission: string;
  component: string | null;
}

const permissions = [
  "bpm:process-instance:query",
  "bpm:process-instance:create",
  "bpm:process-instance:cancel",
  "bpm:task:query",
  "bpm:task:update",
];

let made = 0;

/** Lets accounts take part in processes. */
export async function letDecide(accounts: readonly Account[]): Promise<void> {
  const { accessToken: token } = await signInByCall("admin");
  made += 1;
  const code = `taker${Date.now().toString(36)}${made}`;
  const role = { name: `流程参与者 ${code}`, code, sort: 90, status: 0 };
  const roleId = await call<number>("POST", "/system/role/create", { token, body: role });
  const menus = await call<Menu[]>("GET", "/system/menu/list", { token });
  const menuIds = new Set<number>();
  for (const menu of menus) {
    if (!permissions.includes(menu.permission) && menu.component !== "bpm/processInstance/detail/index")
      continue;
    for (let up: Menu | undefined = menu; up; up = menus.find(({ id }) => id === up?.parentId)) {
      menuIds.add(up.id);
    }
  }
  const grant = { roleId, menuIds: [...menuIds] };
  await call("POST", "/system/permission/assign-role-menu", { token, body: grant });
  for (const { id: userId } of accounts) {
    await call("POST", "/system/permission/assign-user-role", { token, body: { userId, roleIds: [roleId] } });
  }
}
