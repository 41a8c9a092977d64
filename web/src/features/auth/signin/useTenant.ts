import { useEffect, useState } from "react";
import { readItem, saveTenant } from "@/kernel/session";
import { tenantIdOf, tenantNames, tenantOfWebsite } from "../api";

export interface TenantField {
  /** Name to start the field with: of this address, else the one used last, else the first there is. */
  initialName: string;
  /** True once `initialName` is final. */
  ready: boolean;
  /** Finds the tenant of a name and keeps it; false when there is none. */
  resolve: (name: string) => Promise<boolean>;
}

/** Knows which school signs in: the address decides, else the name typed. */
export function useTenant(): TenantField {
  const [state, setState] = useState({ initialName: readItem("TENANT_NAME"), ready: false });
  useEffect(() => {
    let wanted = true;
    const settle = (name: string) => wanted && setState({ initialName: name, ready: true });
    const find = async () => {
      const tenant = await tenantOfWebsite(window.location.host);
      if (tenant && wanted) saveTenant(tenant.id, tenant.name);
      settle(tenant?.name || readItem("TENANT_NAME") || (await tenantNames())?.[0]?.name || "");
    };
    find().catch(() => settle(readItem("TENANT_NAME")));
    return () => {
      wanted = false;
    };
  }, []);
  return { ...state, resolve: resolveTenant };
}

/** Names already found on this page; a name that was not found is asked again. */
const found = new Set<string>();

async function resolveTenant(name: string): Promise<boolean> {
  const wanted = name.trim();
  if (!wanted) return false;
  if (found.has(wanted) && wanted === readItem("TENANT_NAME")) return true;
  const id = await tenantIdOf(wanted);
  if (id === null || id === undefined) return false;
  saveTenant(id, wanted);
  found.add(wanted);
  return true;
}
