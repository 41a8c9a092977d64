import { currentLanguage } from "@/kernel/i18n";
import generated from "./entities.gen.json";

export type FieldKind =
  | "text"
  | "longtext"
  | "int"
  | "money"
  | "bool"
  | "date"
  | "time"
  | "dict"
  | "ref"
  | "refs"
  | "file"
  | "files"
  | "richtext"
  | "names"
  | "email"
  | "mobile"
  | "url";

export interface Field {
  name: string;
  label: string;
  labelEn: string;
  kind: FieldKind;
  dict?: string;
  ref?: string;
  required?: boolean;
  max?: number;
  min?: number;
  filter?: "like" | "eq" | "in" | "range";
  sortable?: boolean;
  input?: boolean;
  output?: boolean;
}

export interface Entity {
  title: string;
  titleEn: string;
  path: string;
  /** The list call, where several lists show the same kind of row; default `path`/page. */
  page?: string;
  permission: string;
  /** The permission to look, where it is not `permission`:query. */
  query?: string;
  calls: string[];
  versioned: boolean;
  fields: Field[];
}

/** Every row has an id; versioned ones carry the version that goes back in updates. */
export interface BaseRow {
  id: number;
  version?: number;
}

const entities = generated as unknown as Record<string, Entity>;

/** The generated description of an entity; an unknown name is a programming error. */
export function entityOf(name: string): Entity {
  const entity = entities[name];
  if (!entity) throw new Error(`unknown entity ${name}: not in entities.gen.json`);
  return entity;
}

export function fieldOf(entity: Entity, name: string): Field | undefined {
  return entity.fields.find((field) => field.name === name);
}

export function titleOf(entity: Entity): string {
  return currentLanguage() === "en" ? entity.titleEn || entity.title : entity.title;
}

export function labelOf(field: Field): string {
  return currentLanguage() === "en" ? field.labelEn || field.label : field.label;
}

/** What somebody must hold to see the list. */
export function queryPermission(entity: Entity): string {
  return entity.query ?? `${entity.permission}:query`;
}

export function can(entity: Entity, call: string): boolean {
  return entity.calls.includes(call);
}

/** Whether a field is chosen from something rather than typed. */
export function isChoice(kind: FieldKind): boolean {
  return ["bool", "date", "time", "dict", "ref", "refs", "file", "files", "names"].includes(kind);
}
