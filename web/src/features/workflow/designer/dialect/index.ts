import { approvalTypes } from "./approval";
import { camunda } from "./camunda";
import { type PackageDescriptor, properties, type TypeDescriptor } from "./descriptor";
import { type Dialect, dialectNames, uriOf } from "./dialect";
import { type Row, rows } from "./table";

export { type Dialect, dialectNames, dialectOfUri, dialects, typeOf, uriOf } from "./dialect";

const words = (text: string) => text.split(" ");

function typeFrom(row: Row, dialect: Dialect): TypeDescriptor {
  const own =
    dialect === "flowable" ? `${row.properties ?? ""} ${row.flowable ?? ""}` : (row.properties ?? "");
  const base = { name: row.name, properties: properties(own) };
  if (row.extends) {
    const more = row.superClass ? { superClass: words(row.superClass) } : {};
    return { ...base, ...more, isAbstract: true, extends: words(row.extends) };
  }
  return {
    ...base,
    superClass: row.superClass ? words(row.superClass) : ["Element"],
    meta: { allowedIn: row.allowedIn ? words(row.allowedIn) : ["*"] },
  };
}

/**
 * Describes the extensions of one engine to the drawing kit. Only one of the three can be loaded at
 * a time: they add properties of the same name to the same BPMN types, which moddle refuses.
 */
export function descriptorOf(dialect: Dialect): PackageDescriptor {
  if (dialect === "camunda") return camunda();
  return {
    name: dialectNames[dialect],
    uri: uriOf(dialect),
    prefix: dialect,
    xml: { tagAlias: "lowerCase" },
    associations: [],
    types: [
      ...rows.filter((row) => !row.only || dialect === "flowable").map((row) => typeFrom(row, dialect)),
      ...approvalTypes(),
    ],
  };
}
