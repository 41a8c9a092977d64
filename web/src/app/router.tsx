import { createBrowserRouter, type RouteObject, useRouteError } from "react-router";
import { authRoutes } from "@/features/auth/routes";
import { basePath } from "@/kernel/base";
import { t } from "@/kernel/i18n";
import { isChunkError } from "@/kernel/ui/ErrorBoundary";
import { ErrorState } from "@/kernel/ui/states";
import { guardApplication, guardSignIn } from "./guard";

/** Public pages, then the shell for everything else; the shell sends unknown paths to /404. */
export function appRoutes(publicRoutes: RouteObject[]): RouteObject[] {
  return [
    {
      errorElement: <RouteFailure />,
      HydrateFallback: Loading,
      children: [
        ...publicRoutes.map(guarded),
        {
          path: "*",
          loader: guardApplication,
          // A page change must not ask for the session again: the loader is cheap once it is there.
          lazy: () => import("./shellRoute"),
        },
      ],
    },
  ];
}

function guarded(route: RouteObject): RouteObject {
  if (route.path !== "/login" || route.loader || route.index) return route;
  return { ...route, loader: guardSignIn };
}

export function createAppRouter() {
  return createBrowserRouter(appRoutes(authRoutes), { basename: basePath });
}

function Loading() {
  return <div role="status" aria-label={t("kernel:app.loading")} />;
}

/** What no page caught: the error with a retry, never a blank screen. */
function RouteFailure() {
  const error = useRouteError();
  const chunk = isChunkError(error);
  return (
    <main style={{ padding: 24 }}>
      <ErrorState
        title={t(chunk ? "kernel:failure.chunkTitle" : "kernel:failure.crashTitle")}
        hint={t(chunk ? "kernel:failure.chunkHint" : "kernel:failure.crashHint")}
        onRetry={() => window.location.reload()}
      />
    </main>
  );
}
