import type { ActKey } from "./calls";

/** What the diagram says about the buttons and the opinion of a decision. */
export interface NodeSetting {
  /** Names given to acts by the model. */
  names: Partial<Record<ActKey, string>>;
  hidden: ReadonlySet<ActKey>;
  wantsOpinion: boolean;
  wantsSignature: boolean;
}

/** The numbers of the button settings of newer models. */
const byNumber: Record<string, ActKey> = {
  1: "approve",
  2: "reject",
  3: "transfer",
  4: "delegate",
  5: "addSign",
  6: "return",
  7: "copy",
};

const isAct = (code: string): code is ActKey => Object.values(byNumber).includes(code as ActKey);

const isTrue = (value: string | null) => value?.trim().toLowerCase() === "true";

/** Reads the settings of a user task out of the diagram. */
export function nodeSetting(xml: string, taskKey: string): NodeSetting {
  const setting: NodeSetting = { names: {}, hidden: new Set(), wantsOpinion: false, wantsSignature: false };
  const parsed = new DOMParser().parseFromString(xml, "application/xml");
  const task = [...parsed.getElementsByTagNameNS("*", "userTask")].find(
    (one) => one.getAttribute("id") === taskKey,
  );
  const extensions = [...(task?.children ?? [])].find((child) => child.localName === "extensionElements");
  const hidden = new Set<ActKey>();
  for (const part of extensions?.children ?? []) {
    if (part.localName === "reasonRequire") setting.wantsOpinion = isTrue(part.textContent);
    if (part.localName === "signEnable") setting.wantsSignature = isTrue(part.textContent);
    const button = buttonOf(part);
    if (!button) continue;
    if (button.name) setting.names[button.act] = button.name;
    if (button.hidden) hidden.add(button.act);
  }
  return { ...setting, hidden };
}

/** Both spellings of a button: by number with enable, by code with isHide. */
function buttonOf(part: Element): { act: ActKey; name: string; hidden: boolean } | null {
  const id = part.getAttribute("id") ?? "";
  const code = part.getAttribute("code") ?? "";
  if (part.localName === "buttonsSetting") {
    const act = byNumber[id];
    const hidden = part.hasAttribute("enable") && !isTrue(part.getAttribute("enable"));
    return act ? { act, name: part.getAttribute("displayName") ?? "", hidden } : null;
  }
  if (part.localName !== "button" || !isAct(code)) return null;
  return {
    act: code,
    name: part.getAttribute("name") ?? "",
    hidden: isTrue(part.getAttribute("isHide")) || part.getAttribute("isHide") === "1",
  };
}
