import { basePath } from "@/kernel/base";
import { t } from "@/kernel/i18n";
import { hasUnsaved, toast } from "@/kernel/ui";

/**
 * After a deployment the chunks of the old build are gone. When fetching one fails and the server
 * has a newer build, the page is loaded anew, unless something unsaved would be lost. In every
 * other case the failing part shows its own error with a retry.
 */
export function watchStaleBuild(): void {
  window.addEventListener("vite:preloadError", () => void reloadIfReplaced());
}

export async function reloadIfReplaced(reload: () => void = () => window.location.reload()): Promise<void> {
  if (hasUnsaved()) return;
  const script = document.querySelector<HTMLScriptElement>('script[type="module"][src]')?.getAttribute("src");
  if (!script) return;
  try {
    const answer = await fetch(basePath, { cache: "no-store", headers: { Accept: "text/html" } });
    if (!answer.ok || (await answer.text()).includes(script)) return;
  } catch {
    return;
  }
  toast.info(t("kernel:app.updated"));
  reload();
}
