export type TreeNode<T> = T & { children?: TreeNode<T>[] };

/** Names of the fields that make a flat list a tree. */
export interface TreeFields {
  id?: string;
  parentId?: string;
  children?: string;
}

/**
 * Builds a tree from a flat list. Rows whose parent is not in the list become roots;
 * rows are copied, leaves get no children field.
 */
export function buildTree<T extends object>(rows: readonly T[], fields: TreeFields = {}): TreeNode<T>[] {
  const { id = "id", parentId = "parentId", children = "children" } = fields;
  const read = (row: T, field: string) => (row as Record<string, unknown>)[field];
  const copies = new Map<unknown, Record<string, unknown>>();
  for (const row of rows) copies.set(read(row, id), { ...(row as Record<string, unknown>) });
  const roots: Record<string, unknown>[] = [];
  for (const row of rows) {
    const copy = copies.get(read(row, id));
    if (!copy) continue;
    const parent = copies.get(read(row, parentId));
    if (!parent || parent === copy) {
      roots.push(copy);
      continue;
    }
    const siblings = (parent[children] as Record<string, unknown>[] | undefined) ?? [];
    siblings.push(copy);
    parent[children] = siblings;
  }
  return roots as TreeNode<T>[];
}

/** Visits every node, parents first. */
export function walkTree<T extends { children?: readonly T[] | null }>(
  nodes: readonly T[],
  visit: (node: T, parents: readonly T[]) => void,
  parents: readonly T[] = [],
): void {
  for (const node of nodes) {
    visit(node, parents);
    if (node.children) walkTree(node.children, visit, [...parents, node]);
  }
}
