import { del, get, put } from "@/kernel/api/client";
import type { IncidentDetail, ManageDetail, RetryOutcome, RetryResult, Variable } from "./wire";

type Id = string | number;

export function manageDetail(id: Id, signal?: AbortSignal): Promise<ManageDetail> {
  return get<ManageDetail>("/bpm/process-instance/get-manage-detail", { id }, { silent: true, signal });
}

export function incidentDetail(id: Id, signal?: AbortSignal): Promise<IncidentDetail> {
  return get<IncidentDetail>("/bpm/incident/get", { id }, { silent: true, signal });
}

const quiet = (idempotencyKey: string) => ({ silent: true, idempotencyKey });

export function retryIncident(id: Id, reason: string, key: string): Promise<RetryOutcome> {
  return put<RetryOutcome>("/bpm/incident/retry", { id, reason }, quiet(key));
}

/** Each is retried for itself; several take a while. */
export function retryIncidents(ids: Id[], reason: string): Promise<RetryResult[]> {
  return put<RetryResult[]>("/bpm/incident/retry-list", { ids, reason }, { silent: true, timeout: 120_000 });
}

export function skipIncident(
  id: Id,
  values: { reason: string; flow?: string },
  key: string,
): Promise<boolean> {
  return put<boolean>("/bpm/incident/skip", { id, ...values }, quiet(key));
}

export function setInstanceState(id: Id, state: number, reason: string, key: string): Promise<boolean> {
  return put<boolean>("/bpm/process-instance/update-state", { id, state, reason }, quiet(key));
}

export function moveInstance(
  id: Id,
  values: { from: string[]; to: string; reason: string },
  key: string,
): Promise<boolean> {
  return put<boolean>("/bpm/process-instance/move", { id, ...values }, quiet(key));
}

export interface VariableChange extends Pick<Variable, "scope" | "name" | "type" | "value"> {
  /** What was seen; absent for a new variable. */
  before?: string;
  reason: string;
}

export function setVariable(id: Id, change: VariableChange, key: string): Promise<boolean> {
  return put<boolean>("/bpm/process-instance/update-variable", { id, ...change }, quiet(key));
}

export function terminate(id: Id, reason: string, key: string): Promise<boolean> {
  return del<boolean>("/bpm/process-instance/cancel-by-admin", undefined, {
    body: { id, reason },
    ...quiet(key),
  });
}
