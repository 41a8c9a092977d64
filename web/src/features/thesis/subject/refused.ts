import type { Rule } from "antd/es/form";
import { createContext, useContext } from "react";

/** What the server refused, with the value it refused: the error stays until the value changes. */
export type Refusals = Map<string, { value: unknown; message: string }>;

export const RefusalContext = createContext<Refusals>(new Map());

/** Gives the rule of a field that repeats the server's refusal of its present value. */
export function useRefused(): (name: string) => Rule {
  const refusals = useContext(RefusalContext);
  return (name) => ({
    validator: (_rule, value: unknown) => {
      const refusal = refusals.get(name);
      if (!refusal || JSON.stringify(refusal.value) !== JSON.stringify(value)) return Promise.resolve();
      return Promise.reject(new Error(refusal.message));
    },
  });
}
