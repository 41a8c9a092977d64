import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { get, type PageOf, post } from "@/kernel/api/client";
import type { FieldPermissions } from "../../form/FormView";
import type { FormValues } from "../../form/values";
import type { PathNode, Startable } from "../wire";

const quiet = { silent: true } as const;

/** The processes I may start. */
export function useStartable(enabled = true) {
  return useQuery({
    queryKey: ["/bpm/process-definition", "startable"],
    queryFn: ({ signal }) =>
      get<Startable[]>("/bpm/process-definition/list", { suspensionState: 1 }, { ...quiet, signal }),
    retry: false,
    enabled,
  });
}

const LOOKED_BACK = 30;

/** The keys of what I started lately, the last one first. */
export function useRecent(most: number): string[] {
  const { data } = useQuery({
    queryKey: ["/bpm/process-instance", "recent"],
    queryFn: ({ signal }) =>
      get<PageOf<{ processDefinitionKey: string }>>(
        "/bpm/process-instance/my-page",
        { pageNo: 1, pageSize: LOOKED_BACK },
        { ...quiet, signal },
      ),
    retry: false,
  });
  return [...new Set((data?.list ?? []).map((row) => row.processDefinitionKey))].slice(0, most);
}

/** The codes of the categories in their order. */
export function useCategoryOrder(): string[] {
  const { data } = useQuery({
    queryKey: ["/bpm/category", "simple"],
    queryFn: ({ signal }) =>
      get<{ name: string; code: string }[]>("/bpm/category/simple-list", undefined, { ...quiet, signal }),
    staleTime: 60_000,
    retry: false,
  });
  return (data ?? []).map(({ code }) => code);
}

export interface Path {
  activityNodes: PathNode[];
  formFieldsPermission: FieldPermissions;
}

const LONGEST = 200;
const MOST_TEXT = 6000;

/** What conditions may ask about: short values; a text as long as a page decides nothing and fills the address. */
function forConditions(values: FormValues): string {
  const short = Object.entries(values).filter(
    ([, value]) => value !== null && JSON.stringify(value)?.length <= LONGEST,
  );
  const text = JSON.stringify(Object.fromEntries(short));
  return text.length > MOST_TEXT ? "{}" : text;
}

/** The path an instance begun with these values would take, and who would decide it. */
export function usePath(definition: string, values: FormValues) {
  const query = { processDefinitionId: definition, processVariablesStr: forConditions(values) };
  return useQuery({
    queryKey: ["/bpm/process-instance", "path", query],
    queryFn: ({ signal }) =>
      get<Path>("/bpm/process-instance/get-approval-detail", query, { ...quiet, signal }),
    placeholderData: keepPreviousData,
    retry: false,
    enabled: definition !== "",
  });
}

interface Earlier {
  formVariables: FormValues;
  businessKey: string;
}

/** What an earlier instance was sent with; null when there is none, or it is not mine to see. */
export function useEarlier(id: string) {
  return useQuery({
    queryKey: ["/bpm/process-instance", "earlier", id],
    queryFn: ({ signal }) =>
      get<Earlier>("/bpm/process-instance/get", { id }, { ...quiet, signal }).catch(() => null),
    retry: false,
    enabled: id !== "",
  });
}

/** The people the starter picks, by task. */
export type Picks = Record<string, number[]>;

export interface StartBody {
  processDefinitionId: string;
  variables: FormValues;
  startUserSelectAssignees: Picks;
}

export function startProcess(body: StartBody, idempotencyKey: string): Promise<string> {
  return post<string>("/bpm/process-instance/create", body, { ...quiet, idempotencyKey });
}
