import { allItems, type Item } from "./model";

/** Where an item stands: inside which other one ("" for the form itself) and at which place. */
export interface Place {
  parent: string;
  index: number;
}

/** An item whose inside changed is no longer what its text says. */
function withChildren(item: Item, children: Item[]): Item {
  const { text: _, ...rest } = item;
  return { ...rest, children };
}

/** The items with the children of one of them, or the outermost ones, replaced. */
function inside(items: readonly Item[], parent: string, change: (children: Item[]) => Item[]): Item[] {
  if (parent === "") return change([...items]);
  return items.map((item) => {
    if (item.key === parent) return withChildren(item, change([...item.children]));
    const children = inside(item.children, parent, change);
    return children.some((child, index) => child !== item.children[index])
      ? withChildren(item, children)
      : item;
  });
}

export function find(items: readonly Item[], key: string): Item | undefined {
  return allItems(items).find((item) => item.key === key);
}

/** Where an item stands; undefined when it is not there. */
export function placeOf(items: readonly Item[], key: string, parent = ""): Place | undefined {
  const index = items.findIndex((item) => item.key === key);
  if (index >= 0) return { parent, index };
  for (const item of items) {
    const place = placeOf(item.children, key, item.key);
    if (place) return place;
  }
  return undefined;
}

export function insert(items: readonly Item[], item: Item, parent: string, index: number): Item[] {
  return inside(items, parent, (children) => children.toSpliced(index, 0, item));
}

export function remove(items: readonly Item[], key: string): Item[] {
  const place = placeOf(items, key);
  if (!place) return [...items];
  return inside(items, place.parent, (children) => children.toSpliced(place.index, 1));
}

/** Moves an item; the index counts without it. An item never moves into itself. */
export function move(items: readonly Item[], key: string, to: Place): Item[] {
  const item = find(items, key);
  if (!item || to.parent === key || find(item.children, to.parent)) return [...items];
  return insert(remove(items, key), item, to.parent, to.index);
}

/** Replaces one item by what `change` makes of it. */
export function patch(items: readonly Item[], key: string, change: (item: Item) => Item): Item[] {
  const place = placeOf(items, key);
  if (!place) return [...items];
  return inside(items, place.parent, (children) =>
    children.map((item) => (item.key === key ? change(item) : item)),
  );
}
