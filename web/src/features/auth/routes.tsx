import { type LoaderFunctionArgs, type RouteObject, redirect } from "react-router";
import { clearTokens, getAccessToken, useSession } from "@/kernel/session";
import { safeTarget } from "./signin/target";

/** Who is signed in already has no business at a sign-in page. */
function onlyGuests({ request }: LoaderFunctionArgs): Response | null {
  if (!getAccessToken()) return null;
  return redirect(safeTarget(new URL(request.url).searchParams.get("redirect")));
}

/** This variant always starts afresh: a stored token is dropped before the page shows. */
function dropToken(): null {
  clearTokens();
  useSession.getState().clear();
  return null;
}

function page(
  path: string,
  load: () => Promise<{ default: React.ComponentType }>,
  loader?: RouteObject["loader"],
): RouteObject {
  return { path, ...(loader ? { loader } : {}), lazy: async () => ({ Component: (await load()).default }) };
}

const login = () => import("./pages/LoginPage");
const studentLogin = () => import("./pages/StudentLoginPage");
const notReady = () => import("./pages/NotReadyPage");
const error = () => import("./pages/ErrorPage");

/** Every route that needs no session. */
export const authRoutes: RouteObject[] = [
  page("/login", login, onlyGuests),
  page("/studentLogin", studentLogin, onlyGuests),
  page("/systemStudentLogin", studentLogin, dropToken),
  page("/setup", () => import("./pages/SetupPage")),
  page("/social-login", notReady),
  page("/auth-redirect", notReady),
  page("/bind", notReady),
  page("/register", notReady),
  page("/oauthLogin/gitee", notReady),
  page("/sso", notReady),
  page("/404", error),
  page("/401", error),
];
