import { createContext, useContext } from "react";
import type { Dialect } from "../../dialect";
import type { ModdleElement, Modeler, PanelModel, Shape } from "./wire";

/** What the panel shows now, and where its edits go. */
export interface Scope {
  modeler: Modeler;
  dialect: Dialect;
  element: Shape;
  bo: ModdleElement;
  model?: PanelModel;
}

const ScopeContext = createContext<Scope | null>(null);

export const ScopeProvider = ScopeContext.Provider;

/** The selected element; a new object after every change of it. */
export function useScope(): Scope {
  const scope = useContext(ScopeContext);
  if (!scope) throw new Error("outside the properties panel");
  return scope;
}

/** Whether the element is of one of the types, or of one derived from them. */
export function is(bo: ModdleElement | undefined, ...types: string[]): boolean {
  return types.some((type) => bo?.$instanceOf?.(type));
}

/** The name of a vendor's attribute or type as the drawing kit knows it. */
export function vendor(scope: Pick<Scope, "dialect">, name: string): string {
  return `${scope.dialect}:${name}`;
}

/** A text member, "" when it is not there. */
export function text(target: ModdleElement | undefined, name: string): string {
  const value = target?.get(name);
  return value === undefined || value === null ? "" : String(value);
}

/** A member that is another element. */
export function child(target: ModdleElement | undefined, name: string): ModdleElement | undefined {
  return (target?.get(name) as ModdleElement | undefined) ?? undefined;
}

/** A member that is a list of elements. */
export function children(target: ModdleElement | undefined, name: string): ModdleElement[] {
  return (target?.get(name) as ModdleElement[] | undefined) ?? [];
}

/** The process that the element is or belongs to; of a pool its own, of a collaboration none. */
export function processOf(bo: ModdleElement): ModdleElement | undefined {
  if (is(bo, "bpmn:Participant")) return child(bo, "processRef");
  for (let at: ModdleElement | undefined = bo; at; at = at.$parent) if (is(at, "bpmn:Process")) return at;
  return undefined;
}
