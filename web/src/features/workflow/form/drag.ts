import {
  type Announcements,
  type CollisionDetection,
  closestCenter,
  type DragEndEvent,
  pointerWithin,
  type UniqueIdentifier,
} from "@dnd-kit/core";
import type { TFunction } from "i18next";
import { nameOf } from "./CanvasItem";
import { fieldOf } from "./field";
import type { NewKind } from "./kinds";
import type { Item } from "./model";
import { find, type Place, placeOf } from "./tree";
import { type DesignActs, mayHold } from "./useDesign";

/** What the pointer is in, else what is nearest, so that a drop beside the list counts, too. */
export const collisions: CollisionDetection = (args) => {
  const within = pointerWithin(args);
  return within.length > 0 ? within : closestCenter(args);
};

/** Where what is dragged would land; null where it may not stand. */
function landing(items: readonly Item[], event: DragEndEvent): Place | null {
  const { active, over } = event;
  if (!over || over.id === active.id) return null;
  const target = String(over.id);
  if (target.startsWith("in:")) {
    const parent = target.slice(3);
    const inside = parent ? (find(items, parent)?.children ?? []) : items;
    const own = inside.some((item) => item.key === active.id);
    return { parent, index: inside.length - (own ? 1 : 0) };
  }
  const place = placeOf(items, target);
  if (!place) return null;
  const from = placeOf(items, String(active.id));
  // Within one list an item takes the place of the one it is dropped on.
  if (from?.parent === place.parent) return place;
  const dragged = active.rect.current.translated;
  const below = dragged ? dragged.top > over.rect.top + over.rect.height / 2 : false;
  return { ...place, index: place.index + (below ? 1 : 0) };
}

/** Puts what was dragged where it was dropped. */
export function drop(items: readonly Item[], event: DragEndEvent, acts: DesignActs): void {
  const place = landing(items, event);
  if (!place) return;
  const parent = find(items, place.parent);
  const holder = parent && fieldOf(parent).kind;
  const kind = event.active.data.current?.kind as NewKind | undefined;
  const item = find(items, String(event.active.id));
  if (kind && mayHold(holder, kind)) acts.add(kind, place);
  else if (item && mayHold(holder, fieldOf(item).kind)) acts.moveTo(item.key, place);
}

/** The name of a dragged or dropped-on thing, for people who hear it. */
export function draggedName(items: readonly Item[], id: UniqueIdentifier, t: TFunction<"workflow">): string {
  const text = String(id);
  if (text.startsWith("new:")) return t(`kind.${text.slice(4)}`);
  const item = find(items, text.replace(/^in:/, ""));
  return item ? nameOf(item) : t("builder.canvas");
}

/** What is said while something is dragged. */
export function announcementsOf(items: readonly Item[], t: TFunction<"workflow">): Announcements {
  const name = (id: UniqueIdentifier) => draggedName(items, id, t);
  return {
    onDragStart: ({ active }) => t("builder.dragStart", { name: name(active.id) }),
    onDragOver: ({ active, over }) =>
      over ? t("builder.dragOver", { name: name(active.id), over: name(over.id) }) : undefined,
    onDragEnd: ({ active }) => t("builder.dragEnd", { name: name(active.id) }),
    onDragCancel: () => t("builder.dragCancel"),
  };
}
