import { currentLanguage } from "@/kernel/i18n";

/** The words of the player, which it writes into the page without asking for a translation. */
const words: Record<string, string> = {
  "Toggle Simulation Log": "显示或隐藏模拟日志",
  "Simulation Log": "模拟日志",
  "No Entries": "没有记录",
  "Reset Simulation": "重新开始",
  "Play/Pause Simulation": "继续或暂停",
  "Pause Simulation": "已暂停",
  "Play Simulation": "继续模拟",
  "Found unsupported elements": "有不支持的元素",
  "Not supported": "不支持",
  "Set Sequence Flow": "选择走哪条顺序流",
  "Add pause point": "添加暂停点",
  "Remove pause point": "取消暂停点",
  "Trigger Event": "触发事件",
  "Set animation speed = Slow": "动画：慢",
  "Set animation speed = Normal": "动画：正常",
  "Set animation speed = Fast": "动画：快",
  "Service Task": "服务任务",
  "User Task": "用户任务",
  "Call Activity": "调用活动",
  "Script Task": "脚本任务",
  "Business Rule Task": "业务规则任务",
  "Manual Task": "手工任务",
  "Receive Task": "接收任务",
  "Send Task": "发送任务",
  Task: "任务",
  "Exclusive Gateway": "排他网关",
  "Parallel Gateway": "并行网关",
  "Inclusive Gateway": "包容网关",
  "Start Event": "开始事件",
  "Intermediate Event": "中间事件",
  "Boundary Event": "边界事件",
  "End Event": "结束事件",
  "Process started": "流程开始",
  "Process finished": "流程结束",
  "Process canceled": "流程取消",
  "Sub Process started": "子流程开始",
  "Sub Process finished": "子流程结束",
  "Sub Process canceled": "子流程取消",
  Process: "流程",
  "Sub Process": "子流程",
};

const endings: [string, string][] = [
  [" started", " 开始"],
  [" finished", " 结束"],
  [" canceled", " 取消"],
];

/** The text in Chinese; names of the process itself stay as they are. */
export function inChinese(text: string): string {
  const plain = text.trim();
  const whole = words[plain];
  if (whole) return text.replace(plain, whole);
  const focus = /^Focus process instance (.+)$/.exec(plain);
  if (focus) return `只看实例 ${focus[1]}`;
  const ending = endings.find(([english]) => plain.endsWith(english));
  return ending ? text.replace(new RegExp(`${ending[0]}\\s*$`), ending[1]) : text;
}

function translateIn(root: Element): void {
  for (const element of [root, ...root.querySelectorAll("*")]) {
    const title = element.getAttribute("title");
    if (title) {
      const chinese = inChinese(title);
      if (chinese !== title) element.setAttribute("title", chinese);
    }
    if (element.closest("svg")) continue;
    for (const child of element.childNodes) {
      if (child.nodeType !== Node.TEXT_NODE || !child.nodeValue?.trim()) continue;
      const chinese = inChinese(child.nodeValue);
      if (chinese !== child.nodeValue) child.nodeValue = chinese;
    }
  }
}

/** Translates the player's words as they appear; gives the way to end that. */
export function keepTranslated(box: HTMLElement): () => void {
  if (currentLanguage() !== "zh-CN") return () => {};
  translateIn(box);
  const observer = new MutationObserver((changes) => {
    for (const { target, addedNodes } of changes) {
      const added = [...addedNodes].filter((node): node is Element => node instanceof Element);
      for (const element of added) translateIn(element);
      if (added.length === 0 && target instanceof HTMLElement) translateIn(target);
    }
  });
  observer.observe(box, {
    childList: true,
    subtree: true,
    attributes: true,
    attributeFilter: ["title"],
  });
  return () => observer.disconnect();
}
