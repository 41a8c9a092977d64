import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { matchRoutes } from "react-router";
import { describe, expect, it } from "vitest";
import { getAccessToken, saveTokens } from "@/kernel/session";
import { renderPage } from "@/testing/render";
import { api, failure, http, ok, server } from "@/testing/server";
import NotReadyPage, { notReadyPaths } from "./pages/NotReadyPage";
import SetupPage from "./pages/SetupPage";
import { authRoutes } from "./routes";

const loaderOf = (path: string) => {
  const loader = authRoutes.find((route) => route.path === path)?.loader;
  return (address: string) =>
    typeof loader === "function"
      ? loader(
          { request: new Request(`http://localhost${address}`), params: {}, context: {} } as never,
          undefined,
        )
      : null;
};

describe("public routes", () => {
  it.each([
    "/login",
    "/studentLogin",
    "/systemStudentLogin",
    "/social-login",
    "/auth-redirect",
    "/bind",
    "/register",
    "/oauthLogin/gitee",
    "/sso",
    "/setup",
    "/404",
    "/401",
  ])("%s has a page", (path) => {
    expect(matchRoutes(authRoutes, path)?.[0]?.route.path).toBe(path);
  });

  it("send who is signed in from the sign-in page to the start", async () => {
    expect(await loaderOf("/login")("/login")).toBeNull();
    saveTokens({ accessToken: "a", refreshToken: "r" });
    const answer = (await loaderOf("/login")("/login")) as Response;
    expect([answer.status, answer.headers.get("Location")]).toEqual([302, "/"]);
  });

  it("drop a stored token before the student variant shows", async () => {
    saveTokens({ accessToken: "a", refreshToken: "r" });
    await loaderOf("/systemStudentLogin")("/systemStudentLogin");
    expect(getAccessToken()).toBe("");
  });

  it.each(Object.keys(notReadyPaths))("%s says it is not open and leads back", async (path) => {
    server.use(http.get(api("/thesis/system-config/get"), () => ok(null)));
    renderPage(<NotReadyPage />, path);
    expect((await screen.findByRole("heading", { level: 1 })).textContent).not.toContain("notReady");
    expect(screen.getByText(/还没有接入|不开放/)).toBeTruthy();
    expect(screen.getByRole("link", { name: "前往学生登录" }).getAttribute("href")).toBe("/studentLogin");
    expect(screen.getByRole("link", { name: "前往教师与管理人员登录" }).getAttribute("href")).toBe("/login");
  });
});

describe("first administrator", () => {
  async function fill(address: string, again: string) {
    server.use(http.get(api("/thesis/system-config/get"), () => ok(null)));
    const view = renderPage(<SetupPage />, address);
    const user = userEvent.setup({ delay: null });
    await user.type(await screen.findByLabelText("用户名"), "root1");
    await user.type(screen.getByLabelText("姓名"), "王老师");
    await user.type(screen.getByLabelText("密码"), "Viva@2026");
    await user.type(screen.getByLabelText("再次输入密码"), again);
    await user.click(screen.getByRole("button", { name: "创建管理员" }));
    return view;
  }

  it("is made with the token of the link", async () => {
    let body: unknown;
    server.use(
      http.post(api("/system/auth/setup"), async ({ request }) => {
        body = await request.json();
        return ok(true);
      }),
    );
    const { router } = await fill("/setup?token=abc", "Viva@2026");
    await waitFor(() => expect(router.state.location.pathname).toBe("/login"));
    expect(body).toEqual({ token: "abc", username: "root1", nickname: "王老师", password: "Viva@2026" });
  });

  it("needs the same password twice", async () => {
    await fill("/setup?token=abc", "Viva@2027");
    expect(await screen.findByText("两次输入的密码不一致")).toBeTruthy();
  });

  it("puts a refused field's message at the field", async () => {
    server.use(
      http.post(api("/system/auth/setup"), () =>
        failure(400, "请求参数不正确", { fields: { username: "用户名已被使用" } }),
      ),
    );
    await fill("/setup?token=abc", "Viva@2026");
    expect(await screen.findByText("用户名已被使用")).toBeTruthy();
    expect(screen.getByText("请求参数不正确")).toBeTruthy();
  });

  it("explains a link without token", async () => {
    server.use(http.get(api("/thesis/system-config/get"), () => ok(null)));
    renderPage(<SetupPage />, "/setup");
    expect(await screen.findByText(/链接不完整/)).toBeTruthy();
    expect(screen.queryByLabelText("用户名")).toBeNull();
  });
});
