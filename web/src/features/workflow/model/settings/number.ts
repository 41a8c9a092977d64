/** How the instances of a process are numbered. */
export interface NumberRule {
  enable: boolean;
  prefix: string;
  infix: string;
  postfix: string;
  length: number;
}

/** What another generation of clients calls date patterns. */
const named: Record<string, string> = {
  DAY: "yyyyMMdd",
  HOUR: "yyyyMMddHH",
  MINUTE: "yyyyMMddHHmm",
  SECOND: "yyyyMMddHHmmss",
};

const form = /^(?:yyyy|yy|MM|dd|HH|mm|ss|[-_/.])*$/;
const most = 60;

/** Whether the server takes the text between prefix and counter. */
export function isInfix(text: string): boolean {
  return text in named || (text.length <= 30 && form.test(text));
}

/** Whether the texts around the counter are short enough together; the server counts bytes. */
export function fits(rule: Partial<NumberRule>): boolean {
  const all = `${rule.prefix ?? ""}${rule.infix ?? ""}${rule.postfix ?? ""}`;
  return new TextEncoder().encode(all).length <= most;
}

/** The first number of a day under the rule, "" while it makes none. */
export function firstNumber(rule: Partial<NumberRule> | undefined, at: Date): string {
  if (!rule || !isInfix(rule.infix ?? "") || !rule.length) return "";
  const two = (value: number) => String(value).padStart(2, "0");
  const parts: Record<string, string> = {
    yyyy: String(at.getFullYear()),
    yy: two(at.getFullYear() % 100),
    MM: two(at.getMonth() + 1),
    dd: two(at.getDate()),
    HH: two(at.getHours()),
    mm: two(at.getMinutes()),
    ss: two(at.getSeconds()),
  };
  const pattern = named[rule.infix ?? ""] ?? rule.infix ?? "";
  const infix = pattern.replace(/yyyy|yy|MM|dd|HH|mm|ss/g, (part) => parts[part] ?? part);
  return `${rule.prefix ?? ""}${infix}${"1".padStart(rule.length, "0")}${rule.postfix ?? ""}`;
}
