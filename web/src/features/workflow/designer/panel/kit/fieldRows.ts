import type { Change } from "./change";
import { elementsOf, type Row } from "./rows";
import { type Scope, text, vendor } from "./scope";
import type { ModdleElement } from "./wire";

/** A value injected into a handler or listener. */
export interface FieldRow extends Row {
  name: string;
  fieldType: "string" | "expression";
  value: string;
}

/** Reads an injected value, in either spelling. */
export function fieldRow(field: ModdleElement, at: number): FieldRow {
  const expression = text(field, "expression");
  const fieldType = expression !== "" ? "expression" : "string";
  const value = expression || text(field, "string") || text(field, "stringValue");
  return { at, name: text(field, "name"), fieldType, value };
}

/** Elements for the rows: an attribute spelling stays one, as long as it holds a string. */
export function fieldElements(
  scope: Scope,
  present: readonly ModdleElement[],
  rows: readonly FieldRow[],
): { list: ModdleElement[]; changes: Change[] } {
  const props = ({ at, name, fieldType, value }: FieldRow) => {
    const before = at === undefined ? undefined : present[at];
    const attribute = fieldType === "string" && text(before, "stringValue") !== "";
    return {
      name,
      stringValue: attribute ? value : undefined,
      string: fieldType === "string" && !attribute ? value : undefined,
      expression: fieldType === "expression" ? value : undefined,
    };
  };
  return elementsOf({ scope, type: vendor(scope, "Field"), present, rows, props });
}
