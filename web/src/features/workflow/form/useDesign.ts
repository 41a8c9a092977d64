import { useCallback, useMemo, useReducer } from "react";
import { changed } from "./change";
import { copyOf, newItem } from "./create";
import { type FieldChange, fieldOf } from "./field";
import { begin, type Design, edit, type History, redo, undo } from "./history";
import { hasChildren, isInput, type Kind, type NewKind } from "./kinds";
import type { Item } from "./model";
import { find, insert, move, type Place, patch, placeOf, remove } from "./tree";

interface State {
  history: History;
  /** The key of the item whose properties are shown; "" for none. */
  selected: string;
}

type Act =
  | { act: "add"; kind: NewKind; place?: Place }
  | { act: "duplicate" | "remove"; key: string }
  | { act: "moveBy"; key: string; by: number }
  | { act: "moveTo"; key: string; place: Place }
  | { act: "change"; key: string; change: FieldChange }
  | { act: "replace" | "reset"; design: Design }
  | { act: "select"; key: string }
  | { act: "undo" | "redo" };

/** Whether an item of this kind may stand inside another: a table has columns, not layouts. */
export function mayHold(parent: Kind | undefined, kind: Kind): boolean {
  if (parent === undefined || parent === "group") return true;
  return parent === "table" && isInput(kind) && kind !== "table";
}

/** Where a new item goes when no place is said: into the selected group or table, else behind the selected item. */
export function placeForNew(items: readonly Item[], selected: string, kind: Kind): Place {
  const item = find(items, selected);
  const end = { parent: "", index: items.length };
  if (!item) return end;
  if (hasChildren(fieldOf(item).kind) && mayHold(fieldOf(item).kind, kind)) {
    return { parent: item.key, index: item.children.length };
  }
  const place = placeOf(items, selected);
  if (!place) return end;
  const parent = find(items, place.parent);
  if (mayHold(parent && fieldOf(parent).kind, kind)) return { parent: place.parent, index: place.index + 1 };
  const outer = placeOf(items, place.parent);
  return outer ? { parent: outer.parent, index: outer.index + 1 } : end;
}

function reduce(state: State, act: Act): State {
  const { history } = state;
  const { items } = history.present;
  const now = (next: Item[], selected = state.selected, about = ""): State => ({
    history: edit(history, { ...history.present, items: next }, about),
    selected,
  });
  switch (act.act) {
    case "add": {
      const item = newItem(act.kind, items);
      const { parent, index } = act.place ?? placeForNew(items, state.selected, act.kind);
      return now(insert(items, item, parent, index), item.key);
    }
    case "duplicate": {
      const item = find(items, act.key);
      const place = placeOf(items, act.key);
      if (!item || !place) return state;
      const copy = copyOf(item, items);
      return now(insert(items, copy, place.parent, place.index + 1), copy.key);
    }
    case "remove":
      return now(remove(items, act.key), neighbour(items, act.key));
    case "moveBy": {
      const place = placeOf(items, act.key);
      const siblings = place && (place.parent ? (find(items, place.parent)?.children ?? []) : items);
      const index = place ? place.index + act.by : -1;
      if (!place || !siblings || index < 0 || index >= siblings.length) return state;
      return now(move(items, act.key, { ...place, index }), act.key);
    }
    case "moveTo":
      return now(move(items, act.key, act.place), act.key);
    case "change": {
      const about = `${act.key}:${Object.keys(act.change).join()}`;
      return now(
        patch(items, act.key, (item) => changed(item, act.change)),
        state.selected,
        about,
      );
    }
    case "replace":
      return { history: edit(history, act.design), selected: "" };
    case "reset":
      return { history: begin(act.design), selected: "" };
    case "select":
      return state.selected === act.key ? state : { history: { ...history, about: "" }, selected: act.key };
    case "undo":
    case "redo":
      return { ...state, history: act.act === "undo" ? undo(history) : redo(history) };
  }
}

/** Who is selected after an item went: the one behind it, or before it. */
function neighbour(items: readonly Item[], key: string): string {
  const place = placeOf(items, key);
  if (!place) return "";
  const siblings = place.parent ? (find(items, place.parent)?.children ?? []) : items;
  return siblings[place.index + 1]?.key ?? siblings[place.index - 1]?.key ?? place.parent;
}

export interface DesignActs {
  add: (kind: NewKind, place?: Place) => void;
  duplicate: (key: string) => void;
  remove: (key: string) => void;
  moveBy: (key: string, by: number) => void;
  moveTo: (key: string, place: Place) => void;
  change: (key: string, change: FieldChange) => void;
  /** Another design in place of the present one; it can be undone. */
  replace: (design: Design) => void;
  /** Begins anew: nothing before it can be undone. */
  reset: (design: Design) => void;
  select: (key: string) => void;
  undo: () => void;
  redo: () => void;
}

export interface DesignState {
  design: Design;
  selected: Item | undefined;
  canUndo: boolean;
  canRedo: boolean;
  acts: DesignActs;
}

/** A design that is being worked on, with what is selected and the way back. */
export function useDesign(first: Design): DesignState {
  const [state, dispatch] = useReducer(reduce, first, (design) => ({ history: begin(design), selected: "" }));
  const act = useCallback((name: "undo" | "redo") => dispatch({ act: name }), []);
  const acts = useMemo<DesignActs>(
    () => ({
      add: (kind, place) => dispatch({ act: "add", kind, place }),
      duplicate: (key) => dispatch({ act: "duplicate", key }),
      remove: (key) => dispatch({ act: "remove", key }),
      moveBy: (key, by) => dispatch({ act: "moveBy", key, by }),
      moveTo: (key, place) => dispatch({ act: "moveTo", key, place }),
      change: (key, change) => dispatch({ act: "change", key, change }),
      replace: (design) => dispatch({ act: "replace", design }),
      reset: (design) => dispatch({ act: "reset", design }),
      select: (key) => dispatch({ act: "select", key }),
      undo: () => act("undo"),
      redo: () => act("redo"),
    }),
    [act],
  );
  const { past, present, future } = state.history;
  return {
    design: present,
    selected: find(present.items, state.selected),
    canUndo: past.length > 0,
    canRedo: future.length > 0,
    acts,
  };
}
