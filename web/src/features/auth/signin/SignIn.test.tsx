import { fireEvent, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { delay } from "msw";
import { Route, Routes, useLocation } from "react-router";
import { beforeEach, describe, expect, it } from "vitest";
import { getAccessToken, readItem, useSession, writeItem } from "@/kernel/session";
import { renderPage } from "@/testing/render";
import { api, failure, HttpResponse, http, ok, server } from "@/testing/server";
import { encrypt } from "../captcha/aes";
import LoginPage from "../pages/LoginPage";

const key = "XwKsGlMcdPMEhR1B";
const picture = "iVBORw0KGgo=";
const pair = { userId: 1, accessToken: "a-1", refreshToken: "r-1", expiresTime: 1 };

interface Sent {
  logins: unknown[];
  checks: { captchaType: string; pointJson: string; token: string }[];
  tenantNames: string[];
}

let sent: Sent;

/** A server of one tenant whose captcha is solved at x = 150 or with 11. */
function fakeServer(captcha = true): void {
  let round = 0;
  server.use(
    http.get(api("/thesis/system-config/get"), () => ok(null)),
    http.get(api("/system/tenant/get-by-website"), () => ok(null)),
    http.get(api("/system/tenant/simple-list"), () => ok([])),
    http.get(api("/system/tenant/get-id-by-name"), ({ request }) => {
      const name = new URL(request.url).searchParams.get("name") ?? "";
      sent.tenantNames.push(name);
      return ok(name === "青岚大学" ? 7 : null);
    }),
    http.get(api("/system/captcha/config"), () => ok({ enabled: captcha })),
    http.post(api("/system/captcha/get"), async ({ request }) => {
      const { captchaType } = (await request.json()) as { captchaType: string };
      round += 1;
      const base = { token: `t${round}`, secretKey: key };
      const repData =
        captchaType === "arithmetic"
          ? { ...base, question: "3 + 8 = ?" }
          : { ...base, originalImageBase64: picture, jigsawImageBase64: picture };
      return HttpResponse.json({ repCode: "0000", repMsg: null, repData });
    }),
    http.post(api("/system/captcha/check"), async ({ request }) => {
      const body = (await request.json()) as Sent["checks"][number];
      sent.checks.push(body);
      const right = [encrypt('{"x":150,"y":5}', key), encrypt("11", key)].includes(body.pointJson);
      return HttpResponse.json({ repCode: right ? "0000" : "6111", repMsg: null, repData: null });
    }),
    http.post(api("/system/auth/login"), async ({ request }) => {
      const body = (await request.json()) as { password: string };
      sent.logins.push(body);
      await delay(5);
      return body.password === "Viva@2026" ? ok(pair) : failure(1002000000, "登录失败，账号密码不正确");
    }),
  );
}

function Arrived() {
  const { pathname, search } = useLocation();
  return <p data-testid="arrived">{pathname + search}</p>;
}

function showLogin(address = "/login") {
  const view = renderPage(
    <Routes>
      <Route path="/login" element={<LoginPage />} />
      <Route path="*" element={<Arrived />} />
    </Routes>,
    address,
  );
  return { ...view, user: userEvent.setup({ delay: null }) };
}

async function fillIn(
  user: ReturnType<typeof userEvent.setup>,
  name: string,
  password: string,
): Promise<void> {
  const tenant = await screen.findByLabelText("学校（租户）");
  await user.clear(tenant);
  await user.type(tenant, "青岚大学");
  await user.clear(screen.getByLabelText("用户名"));
  await user.type(screen.getByLabelText("用户名"), name);
  await user.clear(screen.getByLabelText("密码"));
  await user.type(screen.getByLabelText("密码"), password);
}

const press = (user: ReturnType<typeof userEvent.setup>) =>
  user.click(screen.getByRole("button", { name: "登录" }));

beforeEach(() => {
  sent = { logins: [], checks: [], tenantNames: [] };
  useSession.getState().clear();
});

describe("sign-in without captcha", () => {
  beforeEach(() => fakeServer(false));

  it("finds the tenant, trims the user name, keeps the tokens and goes to the page asked for", async () => {
    const { user } = showLogin("/login?redirect=%2Fsystem%2Fuser%3FpageNo%3D2");
    await fillIn(user, "  admin ", "Viva@2026");
    await press(user);
    expect((await screen.findByTestId("arrived")).textContent).toBe("/system/user?pageNo=2");
    expect(sent.logins).toEqual([{ username: "admin", password: "Viva@2026", captchaVerification: "" }]);
    expect(getAccessToken()).toBe("a-1");
    expect(readItem("REFRESH_TOKEN")).toBe("r-1");
    expect([readItem("TENANT_ID"), readItem("TENANT_NAME")]).toEqual(["7", "青岚大学"]);
    expect(readItem("USERNAME")).toBe("");
  });

  it("shows the name and the logo of the school whose address it is, at the first visit", async () => {
    server.use(
      http.get(api("/system/tenant/get-by-website"), () => ok({ id: 9, name: "云岭大学" })),
      http.get(api("/thesis/system-config/get"), ({ request }) =>
        request.headers.get("tenant-id") === "9"
          ? ok({ id: 1, name: "云岭论文系统", url: "/admin-api/infra/file/1/get/9.png" })
          : ok({ id: 1, name: "青岚论文系统", url: null }),
      ),
    );
    const { container } = showLogin();
    await screen.findByText("云岭论文系统");
    expect(screen.queryByText("青岚论文系统")).toBeNull();
    expect(container.querySelector(".auth-brand img")?.getAttribute("src")).toContain("9.png");
    expect(document.title).toContain("云岭论文系统");
  });

  it("goes to the start when another site was asked for", async () => {
    const { user } = showLogin("/login?redirect=%2F%2Fevil.example");
    await fillIn(user, "admin", "Viva@2026");
    await press(user);
    expect((await screen.findByTestId("arrived")).textContent).toBe("/");
  });

  it("announces the server's refusal and lets the user try again", async () => {
    const { user } = showLogin();
    await fillIn(user, "admin", "wrong");
    await press(user);
    await waitFor(() => expect(screen.getByRole("alert").textContent).toContain("登录失败，账号密码不正确"));
    expect(getAccessToken()).toBe("");
    await user.clear(screen.getByLabelText("密码"));
    await user.type(screen.getByLabelText("密码"), "Viva@2026");
    await press(user);
    await screen.findByTestId("arrived");
  });

  it("passes the lock-out text on", async () => {
    server.use(
      http.post(api("/system/auth/login"), () => failure(1002000009, "尝试次数过多，请 10 分钟后再试")),
    );
    const { user } = showLogin();
    await fillIn(user, "admin", "Viva@2026");
    await press(user);
    await waitFor(() => expect(screen.getByRole("alert").textContent).toContain("请 10 分钟后再试"));
  });

  it("says which school is unknown and asks no password check", async () => {
    const { user } = showLogin();
    await fillIn(user, "admin", "Viva@2026");
    const tenant = screen.getByLabelText("学校（租户）");
    await user.clear(tenant);
    await user.type(tenant, "不存在大学");
    await press(user);
    expect(await screen.findByText("没有名为“不存在大学”的学校，请核对名称后重试")).toBeTruthy();
    expect(sent.logins).toEqual([]);
  });

  it("asks for what is missing", async () => {
    const { user } = showLogin();
    await screen.findByLabelText("用户名");
    await press(user);
    expect(await screen.findByText("请填写学校名称")).toBeTruthy();
    expect(screen.getByText("请填写用户名")).toBeTruthy();
    expect(screen.getByText("请填写密码")).toBeTruthy();
  });

  it("takes the school from the address of the page", async () => {
    server.use(http.get(api("/system/tenant/get-by-website"), () => ok({ id: 9, name: "临川理工" })));
    showLogin();
    await waitFor(() =>
      expect(screen.getByLabelText<HTMLInputElement>("学校（租户）").value).toBe("临川理工"),
    );
    expect(readItem("TENANT_ID")).toBe("9");
  });

  it("starts with the school of the installation when neither address nor browser names one", async () => {
    server.use(http.get(api("/system/tenant/simple-list"), () => ok([{ id: 1, name: "青岚大学" }])));
    showLogin();
    await waitFor(() =>
      expect(screen.getByLabelText<HTMLInputElement>("学校（租户）").value).toBe("青岚大学"),
    );
  });

  it("leaves a field alone that somebody is about to type in", async () => {
    let answer = () => {};
    const asked = new Promise<void>((resolve) => {
      answer = resolve;
    });
    server.use(
      http.get(api("/system/tenant/simple-list"), async () => {
        await asked;
        return ok([{ id: 1, name: "青岚大学" }]);
      }),
    );
    writeItem("REMEMBER_ME", "true");
    writeItem("USERNAME", "secretary01");
    const { user } = showLogin();
    const school = await screen.findByLabelText<HTMLInputElement>("学校（租户）");
    await user.click(school);
    answer();
    await delay(100); // the name of the school has come meanwhile
    await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>("用户名").value).toBe("secretary01"));
    await user.type(school, "临川理工");
    expect(school.value).toBe("临川理工");
  });

  it("remembers the user name alone where nothing can be encrypted", async () => {
    const { user } = showLogin();
    await fillIn(user, "admin", "Viva@2026");
    await user.click(screen.getByLabelText("记住我"));
    expect(screen.getByText(/只会记住用户名/)).toBeTruthy();
    await press(user);
    await screen.findByTestId("arrived");
    expect([readItem("REMEMBER_ME"), readItem("USERNAME"), readItem("PASSWORD")]).toEqual([
      "true",
      "admin",
      "",
    ]);
  });

  it("fills in what was remembered", async () => {
    writeItem("REMEMBER_ME", "true");
    writeItem("USERNAME", "secretary01");
    showLogin();
    await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>("用户名").value).toBe("secretary01"));
    expect(screen.getByLabelText<HTMLInputElement>("记住我").checked).toBe(true);
  });

  it("shows the password on request", async () => {
    const { user } = showLogin();
    const field = await screen.findByLabelText<HTMLInputElement>("密码");
    expect(field.type).toBe("password");
    await user.click(screen.getByRole("button", { name: "显示密码" }));
    expect(field.type).toBe("text");
  });

  it("warns while caps lock is on", async () => {
    showLogin();
    const field = await screen.findByLabelText("密码");
    const event = new KeyboardEvent("keydown", { key: "A", bubbles: true });
    Object.defineProperty(event, "getModifierState", { value: (name: string) => name === "CapsLock" });
    fireEvent(field, event);
    expect(await screen.findByText("大写锁定已打开")).toBeTruthy();
    fireEvent.blur(field);
    await waitFor(() => expect(screen.queryByText("大写锁定已打开")).toBeNull());
  });
});

describe("sign-in with captcha", () => {
  beforeEach(() => fakeServer(true));

  it("is solved with the keyboard and sends the verification along", async () => {
    const { user } = showLogin();
    await fillIn(user, "admin", "Viva@2026");
    await press(user);
    const slider = await screen.findByRole("slider", { name: "拼图位置" });
    await waitFor(() => expect(slider.getAttribute("aria-disabled")).toBe("false"));
    slider.focus();
    await user.keyboard("{PageUp>14/}{ArrowRight>10/}");
    expect(slider.getAttribute("aria-valuenow")).toBe("150");
    expect(slider.getAttribute("aria-valuetext")).toBe("第 150 像素，共 263");
    await user.keyboard("{Enter}");
    await screen.findByTestId("arrived");
    expect(sent.checks).toEqual([
      { captchaType: "blockPuzzle", token: "t1", pointJson: encrypt('{"x":150,"y":5}', key) },
    ]);
    expect(sent.logins).toEqual([
      {
        username: "admin",
        password: "Viva@2026",
        captchaVerification: encrypt('t1---{"x":150,"y":5}', key),
      },
    ]);
  });

  it("brings a new puzzle after a wrong answer and says so", async () => {
    const { user } = showLogin();
    await fillIn(user, "admin", "Viva@2026");
    await press(user);
    const slider = await screen.findByRole("slider");
    await waitFor(() => expect(slider.getAttribute("aria-disabled")).toBe("false"));
    slider.focus();
    await user.keyboard("{PageUp}{Enter}");
    expect(await screen.findByText("没有对上，已换新题，请再试一次")).toBeTruthy();
    expect(slider.getAttribute("aria-valuenow")).toBe("0");
    await user.keyboard("{PageUp>15/}{Enter}");
    await screen.findByTestId("arrived");
    expect(sent.checks.map((check) => check.token)).toEqual(["t1", "t2"]);
  });

  it("can be a sum instead", async () => {
    const { user } = showLogin();
    await fillIn(user, "admin", "Viva@2026");
    await press(user);
    await user.click(await screen.findByRole("button", { name: "无法完成拼图？改用计算题" }));
    await user.type(await screen.findByLabelText("请计算：3 + 8 = ?"), "11{Enter}");
    await screen.findByTestId("arrived");
    const check = sent.checks[0];
    expect(check).toMatchObject({ captchaType: "arithmetic", pointJson: encrypt("11", key) });
    expect(sent.logins).toMatchObject([{ captchaVerification: encrypt(`${check?.token}---11`, key) }]);
  });

  it("can be left without signing in", async () => {
    const { user } = showLogin();
    await fillIn(user, "admin", "Viva@2026");
    await press(user);
    await screen.findByRole("slider");
    await user.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByRole("slider")).toBeNull());
    expect(sent.logins).toEqual([]);
    expect((screen.getByRole("button", { name: "登录" }) as HTMLButtonElement).disabled).toBe(false);
  });
});
