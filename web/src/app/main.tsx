import { StrictMode, Suspense } from "react";
import { createRoot } from "react-dom/client";
import { RouterProvider } from "react-router/dom";
import { startI18n } from "@/kernel/i18n";
import { getAccessToken } from "@/kernel/session/storage";
import { ErrorBoundary } from "@/kernel/ui/ErrorBoundary";
import { loadLocale } from "./locales";
import { Providers } from "./Providers";
import { createQueryClient } from "./queryClient";
import { createAppRouter } from "./router";
import { watchStaleBuild } from "./staleBuild";
import "./reset.css";

async function start(): Promise<void> {
  watchStaleBuild();
  await startI18n(loadLocale);
  const root = document.getElementById("root");
  if (!root) throw new Error("index.html has no element #root");
  createRoot(root).render(
    <StrictMode>
      <Providers client={createQueryClient()}>
        <ErrorBoundary>
          <Suspense fallback={null}>
            <RouterProvider router={createAppRouter()} />
          </Suspense>
        </ErrorBoundary>
      </Providers>
    </StrictMode>,
  );
  if (!getAccessToken()) prefetchShell();
}

/** While somebody types a password the shell is fetched. */
function prefetchShell(): void {
  const later = window.requestIdleCallback ?? ((work: () => void) => setTimeout(work, 2000));
  later(() => void import("./shellRoute").catch(() => undefined));
}

void start();
