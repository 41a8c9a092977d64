import { t } from "@/kernel/i18n";
import { fieldOf } from "./field";
import { isObject, type JsonObject } from "./json";
import type { NewKind } from "./kinds";
import { allItems, type Item, itemOf, newKey, rawOf } from "./model";

/** What each kind is written as: the words of the family's designers, so that they read it, too. */
const shapes: Record<NewKind, JsonObject> = {
  text: { type: "input" },
  textarea: { type: "textarea" },
  number: { type: "inputNumber" },
  money: { type: "inputNumber", props: { prefix: "¥", precision: 2 } },
  switch: { type: "switch" },
  date: { type: "datePicker", props: { type: "date", valueFormat: "YYYY-MM-DD" } },
  dateTime: { type: "datePicker", props: { type: "datetime", valueFormat: "YYYY-MM-DD HH:mm:ss" } },
  dateRange: { type: "datePicker", props: { type: "daterange", valueFormat: "YYYY-MM-DD" } },
  time: { type: "timePicker", props: { format: "HH:mm", valueFormat: "HH:mm" } },
  select: { type: "select" },
  radio: { type: "radio" },
  checkbox: { type: "checkbox" },
  user: { type: "UserSelect" },
  dept: { type: "DeptSelect" },
  file: { type: "UploadFile", props: { limit: 1 } },
  image: { type: "UploadImgs", props: { limit: 1 } },
  table: { type: "tableForm", props: { columns: [] } },
  group: { type: "elCard", children: [] },
  divider: { type: "elDivider" },
  description: { type: "html" },
};

/** A field name nobody in the form has: the kind and the next number. It stays when the label changes. */
export function freeName(stem: string, items: readonly Item[]): string {
  const taken = new Set(allItems(items).map((item) => fieldOf(item).name));
  for (let number = 1; ; number++) {
    if (!taken.has(`${stem}${number}`)) return `${stem}${number}`;
  }
}

/** A new item of a kind for a form that holds `items`. */
export function newItem(kind: NewKind, items: readonly Item[]): Item {
  const shape = structuredClone(shapes[kind]);
  const title = t(`workflow:kind.${kind}`);
  if (kind === "group") return itemOf({ ...shape, props: { header: title } });
  if (kind === "divider") return itemOf({ ...shape, children: [title] });
  if (kind === "description") return itemOf({ ...shape, children: [t("workflow:builder.newDescription")] });
  const choices = ["select", "radio", "checkbox"].includes(kind)
    ? { options: [1, 2].map((n) => ({ value: String(n), label: t("workflow:builder.option", { n }) })) }
    : {};
  const field = freeName(kind, items);
  const { type, ...rest } = shape;
  return itemOf({ type, field, title, info: "", $required: false, ...rest, ...choices });
}

/** A copy with field names of its own. */
export function copyOf(item: Item, items: readonly Item[]): Item {
  const raw = rawOf(item);
  if (!isObject(raw)) return { ...item, key: newKey() };
  const copy = itemOf(structuredClone(raw));
  const known = [...items];
  const rename = (one: Item): Item => {
    const { name } = fieldOf(one);
    let renamed = one;
    if (name) {
      const member = ["field", "vModel", "__vModel__"].find((key) => one.raw[key] === name) ?? "field";
      const next = freeName(name.replace(/\d+$/, "") || "field", known);
      renamed = { ...one, raw: { ...one.raw, [member]: next } };
      known.push(renamed);
    }
    return { ...renamed, children: renamed.children.map(rename) };
  };
  return { ...rename(copy), ...(item.column ? { column: { ...item.column } } : {}) };
}
