/** Items kept in the browser; the names and the plain values are part of the specification. */
export type SessionKey =
  | "ACCESS_TOKEN"
  | "REFRESH_TOKEN"
  | "USERNAME"
  | "PASSWORD"
  | "REMEMBER_ME"
  | "TENANT_ID"
  | "TENANT_NAME";

export function readItem(key: SessionKey): string {
  return localStorage.getItem(key) ?? "";
}

/** Stores a plain value; an empty value removes the item. */
export function writeItem(key: SessionKey, value: string | number | null | undefined): void {
  if (value === null || value === undefined || value === "") localStorage.removeItem(key);
  else localStorage.setItem(key, String(value));
}

export interface TokenPair {
  accessToken: string;
  refreshToken: string;
}

export function getAccessToken(): string {
  return readItem("ACCESS_TOKEN");
}

export function getRefreshToken(): string {
  return readItem("REFRESH_TOKEN");
}

export function saveTokens(pair: TokenPair): void {
  writeItem("ACCESS_TOKEN", pair.accessToken);
  writeItem("REFRESH_TOKEN", pair.refreshToken);
}

export function clearTokens(): void {
  writeItem("ACCESS_TOKEN", "");
  writeItem("REFRESH_TOKEN", "");
}

export function getTenantId(): string {
  return readItem("TENANT_ID");
}

const tenantWatchers = new Set<() => void>();

export function saveTenant(id: number | string, name: string): void {
  writeItem("TENANT_ID", id);
  writeItem("TENANT_NAME", name);
  for (const changed of tenantWatchers) changed();
}

/** Calls back whenever this tab keeps a tenant; returns how to stop. */
export function watchTenant(changed: () => void): () => void {
  tenantWatchers.add(changed);
  return () => tenantWatchers.delete(changed);
}
