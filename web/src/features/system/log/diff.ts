import { type Entity, type Field, fieldOf } from "@/kernel/crud";
import generated from "@/kernel/crud/entities.gen.json";

const entities = generated as unknown as Record<string, Entity>;

const byTable = new Map(
  Object.entries(entities).map(([name, entity]) => [name.replaceAll(/[/-]/g, "_"), entity]),
);

/** The description of the entity behind a table; some tables are named in the plural. */
export function entityOfTable(table: string): Entity | undefined {
  return byTable.get(table) ?? byTable.get(table.replace(/s$/, "")) ?? byTable.get(`${table}s`);
}

export interface Change {
  name: string;
  /** The field's description, when the entity has one. */
  field: Field | undefined;
  before: unknown;
  after: unknown;
}

/** What every row of the table holds and nobody asks about. */
const silent = new Set(["id", "version", "creator", "updater", "createTime", "updateTime", "tenantId"]);

/** The changed fields of a log row in the order of the entity's form. */
export function changesOf(
  table: string,
  before: Record<string, unknown> | null | undefined,
  after: Record<string, unknown> | null | undefined,
): Change[] {
  const entity = entityOfTable(table);
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  const place = (name: string) => {
    const index = entity?.fields.findIndex((field) => field.name === name) ?? -1;
    return index < 0 ? Number.MAX_SAFE_INTEGER : index;
  };
  return names
    .filter((name) => !silent.has(name))
    .sort((a, b) => place(a) - place(b))
    .map((name) => ({
      name,
      field: entity && fieldOf(entity, name),
      before: before?.[name],
      after: after?.[name],
    }));
}
