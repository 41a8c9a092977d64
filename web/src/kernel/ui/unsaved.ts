import { useEffect, useId } from "react";
import { useLocation } from "react-router";
import { t } from "@/kernel/i18n";
import { confirmBox } from "./feedback";

const dirtyPlaces = new Map<string, string>();

/** Whether anything is unsaved: on the page of `pathname`, or anywhere. */
export function hasUnsaved(pathname?: string): boolean {
  if (pathname === undefined) return dirtyPlaces.size > 0;
  return [...dirtyPlaces.values()].includes(pathname);
}

/** Asks before unsaved changes are lost; true means leave. */
export function confirmLeave(): Promise<boolean> {
  return confirmBox({
    content: t("kernel:form.unsaved"),
    okText: t("kernel:form.leave"),
    cancelText: t("kernel:form.stay"),
    danger: true,
  });
}

/**
 * Marks the page as holding unsaved changes: the browser asks before the window closes,
 * and whoever closes a kept-alive tab asks `hasUnsaved` first.
 */
export function useUnsaved(dirty: boolean): void {
  const key = useId();
  const { pathname } = useLocation();
  useEffect(() => {
    if (!dirty) return;
    dirtyPlaces.set(key, pathname);
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", ask);
    return () => {
      dirtyPlaces.delete(key);
      window.removeEventListener("beforeunload", ask);
    };
  }, [dirty, key, pathname]);
}
