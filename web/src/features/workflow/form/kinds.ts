import { at, isObject, type JsonObject, textOf } from "./json";

/** What the builder offers, in the order of its palette. */
export const palette = [
  {
    group: "input",
    kinds: ["text", "textarea", "number", "money", "switch", "date", "dateTime", "dateRange", "time"],
  },
  { group: "choice", kinds: ["select", "radio", "checkbox", "user", "dept"] },
  { group: "more", kinds: ["file", "image", "table"] },
  { group: "layout", kinds: ["group", "divider", "description"] },
] as const;

export type NewKind = (typeof palette)[number]["kinds"][number];

/** The kind of an item; an unsupported one is kept and shown, never filled in. */
export type Kind = NewKind | "unsupported";

const layout: readonly Kind[] = ["group", "divider", "description", "unsupported"];

/** Whether items of the kind have a value. */
export const isInput = (kind: Kind): boolean => !layout.includes(kind);

export const hasChildren = (kind: Kind): boolean => kind === "group" || kind === "table";

/** Whether a value is chosen rather than typed. */
export const isChosen = (kind: Kind): boolean =>
  !["text", "textarea", "number", "money", "table"].includes(kind);

export const hasOptions = (kind: Kind): boolean => ["select", "radio", "checkbox"].includes(kind);

export const isNumber = (kind: Kind): boolean => kind === "number" || kind === "money";

export const isText = (kind: Kind): boolean => kind === "text" || kind === "textarea";

/** Whether an item is written in the older shape, with __config__ and __vModel__. */
export function isGenerator(raw: JsonObject): boolean {
  return isObject(raw.__config__);
}

/** The type as the designer of the item calls it. */
export function rawType(raw: JsonObject): string {
  return textOf(at(raw, ["__config__", "tag"])) || textOf(raw.type) || textOf(raw.tag);
}

const simple: Record<string, Kind> = {
  textarea: "textarea",
  inputnumber: "number",
  number: "number",
  switch: "switch",
  select: "select",
  radio: "radio",
  radiogroup: "radio",
  checkbox: "checkbox",
  checkboxgroup: "checkbox",
  userselect: "user",
  deptselect: "dept",
  upload: "file",
  uploadfile: "file",
  uploadfiles: "file",
  uploadimg: "image",
  uploadimgs: "image",
  tableform: "table",
  card: "group",
  row: "group",
  fcrow: "group",
  col: "group",
  div: "group",
  space: "group",
  divider: "divider",
  html: "description",
  text: "description",
  span: "description",
  alert: "description",
};

const dates: Record<string, Kind> = {
  "": "date",
  date: "date",
  datetime: "dateTime",
  daterange: "dateRange",
  datetimerange: "dateRange",
};

/** Tells the kind from the type and the members that change what a type means. */
export function kindOf(raw: JsonObject): Kind {
  const type = rawType(raw)
    .replace(/^(el|a)(-|(?=[A-Z]))/, "")
    .replace(/[-_]/g, "")
    .toLowerCase();
  const props = isObject(raw.props) ? raw.props : {};
  const more = isGenerator(raw) ? raw : props;
  const variant = textOf(more.type).toLowerCase();
  if (at(raw, ["__config__", "layout"]) === "rowFormItem") return "group";
  if (type === "input")
    return variant === "textarea" ? "textarea" : variant === "password" ? "unsupported" : "text";
  if (type === "datepicker") return dates[variant] ?? "unsupported";
  if (type === "timepicker") return more.isRange || more["is-range"] ? "unsupported" : "time";
  if (type === "dictselect") {
    const look = textOf(props.selectType);
    return look === "radio" || look === "checkbox" ? look : "select";
  }
  // A repeated group of rules is a table of rows; one without rules is a layout.
  if (type === "group") return Array.isArray(props.rule) ? "table" : "group";
  const kind = Object.hasOwn(simple, type) ? simple[type] : undefined;
  if (kind === "number" && props.prefix === "¥") return "money";
  if (
    kind === "file" &&
    (/^picture/.test(textOf(more.listType ?? more["list-type"])) || props.uploadType === "image")
  ) {
    return "image";
  }
  return kind ?? "unsupported";
}
