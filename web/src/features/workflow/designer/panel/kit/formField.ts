import { type Change, makeVendor } from "./change";
import { addExtension, extensionChange, extensions } from "./extensions";
import { differing, elementsOf, isOther, type Row } from "./rows";
import { child, children, type Scope, text, vendor } from "./scope";
import type { ModdleElement } from "./wire";

export const fieldTypes = ["long", "string", "boolean", "date", "enum"] as const;

/** The choice for a type that is named by hand. */
export const CUSTOM = "custom";

interface NameRow extends Row {
  id?: string;
  name?: string;
  value?: string;
  config?: string;
}

/** The values of the form of a form field, in either spelling. */
export interface FieldValues {
  id?: string;
  type?: string;
  customType?: string;
  label?: string;
  datePattern?: string;
  defaultValue?: string;
  values?: NameRow[];
  constraints?: NameRow[];
  properties?: NameRow[];
  variable?: string;
  expression?: string;
  required?: boolean;
  readable?: boolean;
  writable?: boolean;
}

/** The two ways engines write fields: formField within formData, or formProperty. */
export type FieldKind = "FormField" | "FormProperty";

export const kindOf = (field: ModdleElement): FieldKind =>
  field.$type.endsWith(":FormProperty") ? "FormProperty" : "FormField";

/** All fields of an element, whichever way they are written. */
export function fieldsOf(scope: Scope, owner: ModdleElement): ModdleElement[] {
  const data = extensions(scope, owner, "FormData").flatMap((one) => children(one, "fields"));
  return [...data, ...extensions(scope, owner, "FormProperty")];
}

/** New fields are written as those that are there; without any, as the engine's own. */
export function kindForNew(scope: Scope, owner: ModdleElement): FieldKind {
  const [first] = fieldsOf(scope, owner);
  if (first) return kindOf(first);
  return scope.dialect === "camunda" ? "FormField" : "FormProperty";
}

export const labelOf = (field: ModdleElement) => text(field, "label") || text(field, "name");

/** Reads a field into its form. */
export function fieldValues(field: ModdleElement): FieldValues {
  const type = text(field, "type");
  const custom = type !== "" && !(fieldTypes as readonly string[]).includes(type);
  const property = kindOf(field) === "FormProperty";
  const rows = (list: ModdleElement[], ...names: string[]) =>
    list.map((one, at) => ({ at, ...Object.fromEntries(names.map((name) => [name, text(one, name)])) }));
  const common = {
    id: text(field, "id"),
    type: custom ? CUSTOM : type,
    customType: custom ? type : "",
    label: labelOf(field),
    datePattern: text(field, "datePattern"),
    defaultValue: text(field, property ? "default" : "defaultValue"),
    values: rows(children(field, "values"), "id", "name"),
  };
  if (property)
    return {
      ...common,
      variable: text(field, "variable"),
      expression: text(field, "expression"),
      required: text(field, "required") === "true",
      readable: text(field, "readable") !== "false",
      writable: text(field, "writable") !== "false",
    };
  return {
    ...common,
    constraints: rows(children(child(field, "validation"), "constraints"), "name", "config"),
    properties: rows(children(child(field, "properties"), "values"), "id", "value"),
  };
}

/** The changes that give a field these values; a new field is made and put in by them. */
export function fieldChanges(
  scope: Scope,
  owner: ModdleElement,
  values: FieldValues,
  present?: ModdleElement,
): Change[] {
  const kind = present ? kindOf(present) : kindForNew(scope, owner);
  const field = present ?? makeVendor(scope, kind, {});
  const changes = [
    ...differing(field, kind === "FormField" ? fieldProps(values) : propertyProps(values)),
    ...listChanges(scope, field, "values", "Value", values.type === "enum" ? (values.values ?? []) : []),
  ];
  if (kind === "FormField") {
    changes.push(...holderChanges(scope, field, "validation", values.constraints ?? []));
    changes.push(...holderChanges(scope, field, "properties", values.properties ?? []));
  }
  if (present) return changes;
  for (const { target, props } of changes)
    for (const [name, value] of Object.entries(props)) target.set(name, value);
  if (kind === "FormProperty") return addExtension(scope, owner, field);
  const [data] = extensions(scope, owner, "FormData");
  if (data) return [{ target: data, props: { fields: [...children(data, "fields"), field] } }];
  return addExtension(scope, owner, makeVendor(scope, "FormData", { fields: [field] }));
}

/** The changes that take a field out; a holder that says nothing more goes with it. */
export function fieldRemoval(scope: Scope, owner: ModdleElement, field: ModdleElement): Change[] {
  const data = extensions(scope, owner, "FormData").find((one) => children(one, "fields").includes(field));
  if (!data) return extensionChange(scope, owner, (present) => present.filter((value) => value !== field));
  const fields = children(data, "fields").filter((other) => other !== field);
  const key = text(data, "businessKey");
  const lost = key !== "" && key === text(field, "id");
  if (fields.length === 0 && (key === "" || lost))
    return extensionChange(scope, owner, (present) => present.filter((value) => value !== data));
  return [{ target: data, props: { fields, ...(lost ? { businessKey: undefined } : {}) } }];
}

const typeOfValues = ({ type, customType }: FieldValues) =>
  (type === CUSTOM ? customType?.trim() : type) || undefined;

function fieldProps(values: FieldValues): Record<string, unknown> {
  return {
    id: values.id,
    label: values.label || undefined,
    type: typeOfValues(values),
    datePattern: values.type === "date" ? values.datePattern || undefined : undefined,
    defaultValue: values.defaultValue || undefined,
  };
}

function propertyProps(values: FieldValues): Record<string, unknown> {
  return {
    id: values.id,
    name: values.label || undefined,
    type: typeOfValues(values),
    variable: values.variable || undefined,
    expression: values.expression || undefined,
    default: values.defaultValue || undefined,
    datePattern: values.type === "date" ? values.datePattern || undefined : undefined,
    required: values.required ? "true" : undefined,
    readable: values.readable === false ? "false" : undefined,
    writable: values.writable === false ? "false" : undefined,
  };
}

const own = (row: NameRow) => {
  const { at, ...props } = row;
  return props;
};

function listChanges(
  scope: Scope,
  holder: ModdleElement,
  member: string,
  type: string,
  rows: NameRow[],
): Change[] {
  const present = children(holder, member);
  const made = elementsOf({ scope, type: vendor(scope, type), present, rows, props: own });
  if (!isOther(made.list, present)) return made.changes;
  return [...made.changes, { target: holder, props: { [member]: made.list } }];
}

/** Constraints stand in a validation, properties in a holder of their own; empty ones are dropped. */
function holderChanges(
  scope: Scope,
  field: ModdleElement,
  name: "validation" | "properties",
  rows: NameRow[],
): Change[] {
  const [member, type, holderType] =
    name === "validation"
      ? ["constraints", "Constraint", "Validation"]
      : ["values", "Property", "Properties"];
  const holder = child(field, name);
  if (rows.length === 0) return holder ? [{ target: field, props: { [name]: undefined } }] : [];
  if (holder) return listChanges(scope, holder, member, type, rows);
  const { list } = elementsOf({ scope, type: vendor(scope, type), present: [], rows, props: own });
  return [{ target: field, props: { [name]: makeVendor(scope, holderType, { [member]: list }, field) } }];
}
