import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { tryPlan } from "./calls";
import type { Plan } from "./wire";

const nothing: Plan = { sourceDefinitionId: "", targetDefinitionId: "", elementMap: {}, recompute: false };

/** A plan while it is made; a report counts only for the plan that was tried. */
export function usePlan() {
  const [plan, setPlan] = useState<Plan>(nothing);
  const [tried, setTried] = useState<Plan | null>(null);
  const trial = useMutation({
    mutationFn: tryPlan,
    onMutate: (sent) => setTried(sent),
  });
  return {
    plan,
    /** Choosing other versions forgets the map, which belongs to the old ones. */
    change: (part: Partial<Plan>) =>
      setPlan((present) => ({
        ...present,
        ...(part.elementMap || part.recompute !== undefined ? {} : { elementMap: {} }),
        ...part,
      })),
    map: (element: string, target: string | undefined) =>
      setPlan((present) => {
        const { [element]: _, ...rest } = present.elementMap;
        return { ...present, elementMap: target ? { ...rest, [element]: target } : rest };
      }),
    ready: plan.sourceDefinitionId !== "" && plan.targetDefinitionId !== "",
    report: trial.data,
    error: trial.error,
    trying: trial.isPending,
    fresh: trial.data !== undefined && tried === plan,
    /** Whether the shown report is about these two versions. */
    sameVersions:
      tried?.sourceDefinitionId === plan.sourceDefinitionId &&
      tried.targetDefinitionId === plan.targetDefinitionId,
    run: () => trial.mutate(plan),
  };
}

export type PlanState = ReturnType<typeof usePlan>;
