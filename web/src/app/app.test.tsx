import { act, renderHook } from "@testing-library/react";
import { createMemoryRouter, type RouteObject } from "react-router";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { setLanguage } from "@/kernel/i18n";
import { useSession } from "@/kernel/session";
import { useFeedbackQueue } from "@/kernel/ui/feedback";
import { signInAs } from "@/testing/render";
import { api, failure, HttpResponse, http, ok, server } from "@/testing/server";
import { guardApplication, guardSignIn } from "./guard";
import { loadLocale } from "./locales";
import { pages } from "./pages";
import { createQueryClient } from "./queryClient";
import { reloadIfReplaced } from "./staleBuild";
import { useLanguageReload } from "./useLanguageReload";

const routes: RouteObject[] = [
  { path: "/login", loader: guardSignIn, element: null },
  { path: "/studentLogin", element: null },
  { path: "/404", element: null },
  { path: "*", loader: guardApplication, element: null },
];

/** Where a visit to the address ends. */
async function visit(address: string): Promise<string> {
  const router = createMemoryRouter(routes, { initialEntries: [address] });
  await vi.waitFor(() =>
    expect(router.state.initialized && router.state.navigation.state === "idle").toBe(true),
  );
  const { pathname, search } = router.state.location;
  router.dispose();
  return pathname + search;
}

beforeEach(() => useSession.getState().clear());

describe("the session guard", () => {
  test("without a token every other page leads to the student sign-in, remembering it", async () => {
    expect(await visit("/system/user?pageNo=2")).toBe("/studentLogin?redirect=%2Fsystem%2Fuser%3FpageNo%3D2");
    expect(await visit("/")).toBe("/studentLogin");
    expect(await visit("/login")).toBe("/login");
  });

  test("a signed-in user going to /login is sent to /", async () => {
    signInAs();
    expect(await visit("/login")).toBe("/");
  });

  test("with a token the session is fetched once", async () => {
    localStorage.setItem("ACCESS_TOKEN", "t");
    let fetched = 0;
    server.use(
      http.get(api("/system/auth/get-permission-info"), () => {
        fetched += 1;
        return ok({ user: { id: 1, type: 2 }, roles: [], permissions: [], menus: [] });
      }),
      http.get(api("/system/dict-data/list-all-simple"), () => ok([])),
    );
    expect(await visit("/system/user")).toBe("/system/user");
    expect(await visit("/system/post")).toBe("/system/post");
    expect(fetched).toBe(1);
    expect(useSession.getState().roles).toEqual(["ROLE_DEFAULT"]);
  });

  test("a failing session fetch signs out, tells why and goes to /", async () => {
    localStorage.setItem("ACCESS_TOKEN", "t");
    let loggedOut = false;
    server.use(
      http.get(api("/system/auth/get-permission-info"), () => failure(500, "系统异常，编号 9")),
      http.post(api("/system/auth/logout"), () => {
        loggedOut = true;
        return ok(true);
      }),
    );
    // "/" without a token leads on to the student sign-in.
    expect(await visit("/system/user")).toBe("/studentLogin");
    expect(loggedOut).toBe(true);
    expect(localStorage.getItem("ACCESS_TOKEN")).toBeNull();
    expect(useFeedbackQueue.getState().take()).toMatchObject([
      { kind: "toast", level: "error", text: "系统异常，编号 9" },
    ]);
  });
});

describe("a build that was replaced", () => {
  beforeEach(() => {
    document.head.innerHTML = '<script type="module" src="./assets/index-OLD.js"></script>';
  });

  test.each([
    ["loads anew when the server has another build", '<script src="./assets/index-NEW.js">', 1],
    ["stays when the build is the same", '<script src="./assets/index-OLD.js">', 0],
  ])("%s", async (_name, html, reloads) => {
    server.use(http.get("http://localhost/", () => HttpResponse.html(html)));
    const reload = vi.fn();
    await reloadIfReplaced(reload);
    expect(reload).toHaveBeenCalledTimes(reloads);
  });

  test("stays when the server cannot be reached", async () => {
    server.use(http.get("http://localhost/", () => HttpResponse.error()));
    const reload = vi.fn();
    await reloadIfReplaced(reload);
    expect(reload).not.toHaveBeenCalled();
  });
});

test("another person sees nothing of what the last one loaded", () => {
  const client = createQueryClient();
  signInAs({ user: { id: 1, username: "a", nickname: "a", type: 2 } });
  client.setQueryData(["x"], "secret");
  signInAs({ user: { id: 1, username: "a", nickname: "a", type: 2 }, roles: ["b"] });
  expect(client.getQueryData(["x"])).toBe("secret");
  signInAs({ user: { id: 2, username: "b", nickname: "b", type: 2 } });
  expect(client.getQueryData(["x"])).toBeUndefined();
});

test("another language fetches the session, the dictionaries and what is shown anew", async () => {
  const asked: (string | null)[] = [];
  signInAs();
  server.use(
    http.get(api("/system/auth/get-permission-info"), ({ request }) => {
      asked.push(request.headers.get("Accept-Language"));
      const menus = [
        { id: 1, name: "System", path: "/system", visible: true, keepAlive: true, children: [] },
      ];
      return ok({ user: { id: 1, type: 2 }, roles: [], permissions: [], menus });
    }),
    http.get(api("/system/dict-data/list-all-simple"), () => ok([])),
  );
  const client = createQueryClient();
  const again = vi.spyOn(client, "invalidateQueries");
  renderHook(() => useLanguageReload(client));
  await act(() => setLanguage("en"));
  await vi.waitFor(() => expect(useSession.getState().menus[0]?.name).toBe("System"));
  expect(asked).toHaveLength(1);
  expect(asked[0]).toMatch(/^en/);
  await vi.waitFor(() => expect(again).toHaveBeenCalledTimes(1));
  await act(() => setLanguage("zh-CN"));
});

test("texts are found by namespace, unknown ones are empty", async () => {
  expect(await loadLocale("layout", "zh-CN")).toBeTypeOf("object");
  expect(await loadLocale("kernel", "en")).toHaveProperty("error");
  expect(await loadLocale("nothing", "en")).toBeNull();
});

test("every listed page can be loaded", async () => {
  for (const [key, load] of Object.entries(pages)) {
    const module = await load();
    expect(module.default, key).toBeTypeOf("function");
  }
});
