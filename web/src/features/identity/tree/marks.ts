/** A row of a flat list that forms a tree; 0 or an unknown parent is the top. */
export interface TreeItem {
  id: number;
  name: string;
  parentId?: number | null;
}

export interface TreeIndex {
  parent: Map<number, number>;
  children: Map<number, number[]>;
}

export function indexTree(items: readonly TreeItem[]): TreeIndex {
  const known = new Set(items.map((item) => item.id));
  const parent = new Map<number, number>();
  const children = new Map<number, number[]>();
  for (const { id, parentId } of items) {
    const above = parentId && known.has(parentId) ? parentId : 0;
    parent.set(id, above);
    children.set(above, [...(children.get(above) ?? []), id]);
  }
  return { parent, children };
}

/** Everything below a node, without itself. */
export function below(index: TreeIndex, id: number): number[] {
  const direct = index.children.get(id) ?? [];
  return direct.flatMap((child) => [child, ...below(index, child)]);
}

/** Everything above a node, nearest first. */
export function above(index: TreeIndex, id: number): number[] {
  const list: number[] = [];
  for (let at = index.parent.get(id) ?? 0; at !== 0 && !list.includes(at); at = index.parent.get(at) ?? 0) {
    list.push(at);
  }
  return list;
}

export interface MarkRules {
  /** A node takes those below it along. */
  linked: boolean;
  /** A marked node needs those above it, as a page needs its menu. */
  needsAbove: boolean;
  locked: ReadonlySet<number>;
}

/** The marks after one node was ticked or unticked; locked nodes keep theirs. */
export function markNode(
  index: TreeIndex,
  marked: ReadonlySet<number>,
  id: number,
  rules: MarkRules,
): Set<number> {
  const next = new Set(marked);
  const free = (list: number[]) => list.filter((node) => !rules.locked.has(node));
  const self = rules.locked.has(id) ? [] : [id];
  if (!marked.has(id)) {
    for (const node of self) next.add(node);
    if (rules.linked) for (const node of free(below(index, id))) next.add(node);
  } else {
    for (const node of self) next.delete(node);
    if (rules.linked || rules.needsAbove) for (const node of free(below(index, id))) next.delete(node);
  }
  return rules.needsAbove ? withAbove(index, next) : next;
}

/** Completes marks by the nodes above them. */
export function withAbove(index: TreeIndex, marked: ReadonlySet<number>): Set<number> {
  const next = new Set(marked);
  for (const id of marked) for (const node of above(index, id)) next.add(node);
  return next;
}

/** The ids whose name holds the text, with everything above them. */
export function matching(items: readonly TreeItem[], index: TreeIndex, text: string): Set<number> {
  const wanted = text.trim().toLowerCase();
  const found = items.filter((item) => item.name.toLowerCase().includes(wanted)).map((item) => item.id);
  return withAbove(index, new Set(found));
}
