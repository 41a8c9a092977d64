import { get, type PageOf, post, put } from "@/kernel/api/client";
import type { Definition } from "../../model/entity";
import type { MigrationItem, Plan, Report } from "./wire";

/** Many instances take a while to try. */
export function tryPlan(plan: Plan): Promise<Report> {
  return post<Report>("/bpm/migration/check", plan, { silent: true, timeout: 120_000 });
}

export function startMigration(plan: Plan, reason: string, idempotencyKey: string): Promise<number> {
  return post<number>("/bpm/migration/create", { ...plan, reason }, { silent: true, idempotencyKey });
}

export function stopMigration(id: number, reason: string, idempotencyKey: string): Promise<boolean> {
  return put<boolean>("/bpm/migration/stop", { id, reason }, { silent: true, idempotencyKey });
}

export interface ItemQuery {
  migrationId: number;
  failedOnly: boolean;
  pageNo: number;
  pageSize: number;
}

export function items(query: ItemQuery, signal?: AbortSignal): Promise<PageOf<MigrationItem>> {
  return get<PageOf<MigrationItem>>("/bpm/migration/item-page", query, { silent: true, signal });
}

export interface ProcessName {
  id: string;
  key: string;
  name: string;
}

export function processNames(signal?: AbortSignal): Promise<ProcessName[]> {
  return get<ProcessName[]>("/bpm/process-definition/simple-list", undefined, { silent: true, signal });
}

/** The versions of a process, newest first. */
export async function versionsOf(key: string, signal?: AbortSignal): Promise<VersionRow[]> {
  const query = { key, pageNo: 1, pageSize: 200 };
  return (await get<PageOf<VersionRow>>("/bpm/process-definition/page", query, { silent: true, signal }))
    .list;
}

/** On the wire the id of a definition is a text. */
export type VersionRow = Omit<Definition, "id" | "version"> & { id: string; version: number };
