import { type LoaderFunctionArgs, redirect } from "react-router";
import { errorText } from "@/kernel/api/errors";
import { basePath } from "@/kernel/base";
import { endSession, getAccessToken, loadSession, useSession } from "@/kernel/session";
import { toast } from "@/kernel/ui/feedback";

/**
 * Before any page of the application: without a token to the student sign-in; with a token the
 * session info is there, or the user is signed out, told why, and sent to /.
 */
export async function guardApplication({ request }: LoaderFunctionArgs): Promise<Response | null> {
  if (!getAccessToken()) return redirect(signInAddress(request.url));
  if (useSession.getState().ready) return null;
  try {
    await loadSession();
    return null;
  } catch (error) {
    await endSession();
    toast.error(errorText(error), 5);
    return redirect("/");
  }
}

/** The page asked for is remembered, so that signing in leads to it. */
function signInAddress(url: string): string {
  const { pathname: address, search } = new URL(url);
  const pathname = address.startsWith(basePath) ? `/${address.slice(basePath.length)}` : address;
  if (pathname === "/" || pathname === "/index") return "/studentLogin";
  return `/studentLogin?redirect=${encodeURIComponent(pathname + search)}`;
}

/** Who is signed in needs no staff sign-in page. */
export function guardSignIn(): Response | null {
  return getAccessToken() ? redirect("/") : null;
}
