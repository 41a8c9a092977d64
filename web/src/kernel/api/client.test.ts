import { delay } from "msw";
import { afterEach, describe, expect, test, vi } from "vitest";
import { setLanguage } from "@/kernel/i18n";
import { type FeedbackItem, useFeedbackQueue } from "@/kernel/ui/feedback";
import { api, failure, HttpResponse, http, ok, server } from "@/testing/server";
import { ApiError, del, fetchBlob, filenameOf, get, post, put } from "./client";
import { ABORTED, isAborted, NETWORK_ERROR, TIMEOUT_ERROR } from "./errors";

function shown(): FeedbackItem[] {
  return useFeedbackQueue.getState().take();
}

async function caught(work: Promise<unknown>): Promise<ApiError> {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ApiError)) throw new Error(`expected an ApiError, got ${String(error)}`);
  return error;
}

describe("a call that succeeds", () => {
  test.each([0, 200])("code %d resolves to the data", async (code) => {
    server.use(
      http.get(api("/system/post/get"), () => HttpResponse.json({ code, data: { id: 7 }, msg: "" })),
    );
    expect(await get<{ id: number }>("/system/post/get", { id: 7 })).toEqual({ id: 7 });
  });

  test("a missing code counts as 200", async () => {
    server.use(http.get(api("/x"), () => HttpResponse.json({ data: 3 })));
    expect(await get<number>("/x")).toBe(3);
  });

  test("sends token, tenant, language, body and idempotency key", async () => {
    localStorage.setItem("ACCESS_TOKEN", "t1");
    localStorage.setItem("TENANT_ID", "42");
    let request: Request | undefined;
    server.use(
      http.put(api("/x"), ({ request: got }) => {
        request = got.clone();
        return ok(true);
      }),
    );
    await put<boolean>("/x", { name: "甲" }, { idempotencyKey: "k1", query: { ids: [1, 2] } });
    expect(request?.headers.get("Authorization")).toBe("Bearer t1");
    expect(request?.headers.get("tenant-id")).toBe("42");
    expect(request?.headers.get("Accept-Language")).toBe("zh-CN");
    expect(request?.headers.get("Content-Type")).toContain("application/json");
    expect(request?.headers.get("Idempotency-Key")).toBe("k1");
    expect(new URL(request?.url ?? "").search).toBe("?ids=1&ids=2");
    expect(await request?.json()).toEqual({ name: "甲" });
  });

  test("a deletion may carry a body", async () => {
    let request: Request | undefined;
    server.use(
      http.delete(api("/x"), ({ request: got }) => {
        request = got.clone();
        return ok(true);
      }),
    );
    await del<boolean>("/x", undefined, { body: { id: "i1", reason: "重复" } });
    expect(request?.headers.get("Content-Type")).toContain("application/json");
    expect(await request?.json()).toEqual({ id: "i1", reason: "重复" });
  });

  test("an anonymous call carries no token", async () => {
    localStorage.setItem("ACCESS_TOKEN", "t1");
    let authorization: string | null = "unset";
    server.use(
      http.post(api("/system/auth/login"), ({ request }) => {
        authorization = request.headers.get("Authorization");
        return ok({});
      }),
    );
    await post<object>("/system/auth/login", {}, { anonymous: true });
    expect(authorization).toBeNull();
  });

  test("captcha answers without envelope come through as they are", async () => {
    server.use(
      http.post(api("/system/captcha/get"), () => HttpResponse.json({ repCode: "0000", repData: { a: 1 } })),
    );
    expect(await post<object>("/system/captcha/get", {})).toEqual({ repCode: "0000", repData: { a: 1 } });
  });

  test("files come as blobs, an envelope instead of a file is an error", async () => {
    server.use(
      http.get(
        api("/file"),
        () => new HttpResponse("abc", { headers: { "Content-Type": "application/pdf" } }),
      ),
      http.get(api("/gone"), () => failure(1070000001, "记录不存在")),
    );
    expect(await (await fetchBlob("/file")).text()).toBe("abc");
    expect((await caught(fetchBlob("/gone", undefined, { silent: true }))).msg).toBe("记录不存在");
  });
});

test("the server may name a download", () => {
  expect(filenameOf("attachment; filename*=UTF-8''%E8%AE%BA%E6%96%87.pdf")).toBe("论文.pdf");
  expect(filenameOf("attachment;filename=%E5%B2%97%E4%BD%8D.xls")).toBe("岗位.xls");
  expect(filenameOf('attachment; filename="a b.pdf"')).toBe("a b.pdf");
  expect(filenameOf("attachment; filename=100%.pdf")).toBe("100%.pdf");
  expect(filenameOf("")).toBe("");
});

describe("error catalogue", () => {
  afterEach(() => setLanguage("zh-CN"));

  const notices: [string, number, string, FeedbackItem][] = [
    [
      "500 is a message",
      500,
      "系统异常",
      { kind: "toast", level: "error", text: "系统异常", seconds: undefined },
    ],
    ["501 stays", 501, "未实现", { kind: "toast", level: "error", text: "未实现", seconds: 0 }],
    [
      "901 tells of the demo and stays",
      901,
      "demo",
      { kind: "toast", level: "error", text: "演示模式，无法进行写操作", seconds: 0 },
    ],
    [
      "others are notifications titled with the message",
      1002000000,
      "账号不存在",
      { kind: "notify", title: "账号不存在", description: undefined },
    ],
    ["403 without msg", 403, "", { kind: "notify", title: "当前操作没有权限", description: undefined }],
    ["404 without msg", 404, "", { kind: "notify", title: "访问资源不存在", description: undefined }],
    [
      "unknown code without msg",
      999,
      "",
      { kind: "notify", title: "系统未知错误，请反馈给管理员", description: undefined },
    ],
  ];
  test.each(notices)("%s", async (_name, code, msg, notice) => {
    server.use(http.get(api("/x"), () => failure(code, msg)));
    const error = await caught(get("/x"));
    expect(error.code).toBe(code);
    expect(shown()).toEqual([notice]);
  });

  test("customBizErrorMsg hands the whole body to the caller and shows nothing", async () => {
    let header: string | null = null;
    server.use(
      http.post(api("/x"), ({ request }) => {
        header = request.headers.get("customBizErrorMsg");
        return HttpResponse.json({
          code: 400,
          msg: "请求参数不正确：名称不能为空",
          data: { hint: 1 },
          fields: [
            { name: "name", message: "不能为空" },
            { location: "body.code", message: "太长" },
          ],
        });
      }),
    );
    const error = await caught(post("/x", {}, { silent: true }));
    expect(header).toBe("true");
    expect(error).toMatchObject({ code: 400, msg: "请求参数不正确：名称不能为空", data: { hint: 1 } });
    expect(error.fields).toEqual({ name: "不能为空", code: "太长" });
    expect(shown()).toEqual([]);
  });

  test("network, time-out and status errors show for five seconds", async () => {
    server.use(
      http.get(api("/net"), () => HttpResponse.error()),
      http.get(api("/slow"), async () => {
        await delay(500);
        return ok(1);
      }),
      http.get(api("/bad"), () => new HttpResponse("x", { status: 502 })),
    );
    expect((await caught(get("/net"))).code).toBe(NETWORK_ERROR);
    expect((await caught(get("/slow", undefined, { timeout: 20 }))).code).toBe(TIMEOUT_ERROR);
    expect((await caught(get("/bad"))).code).toBe(502);
    expect(shown()).toEqual([
      { kind: "toast", level: "error", text: "后端接口连接异常", seconds: 5 },
      { kind: "toast", level: "error", text: "系统接口请求超时", seconds: 5 },
      { kind: "toast", level: "error", text: "系统接口502异常", seconds: 5 },
    ]);
  });

  test("an infrastructure status with an envelope is read as the envelope", async () => {
    server.use(
      http.get(api("/x"), () =>
        HttpResponse.json({ code: 429, msg: "请求过于频繁", data: null }, { status: 429 }),
      ),
    );
    expect((await caught(get("/x"))).code).toBe(429);
    expect(shown()).toEqual([{ kind: "notify", title: "请求过于频繁", description: undefined }]);
  });

  test("a cancelled call is silent", async () => {
    server.use(
      http.get(api("/slow"), async () => {
        await delay(500);
        return ok(1);
      }),
    );
    const controller = new AbortController();
    const work = caught(get("/slow", undefined, { signal: controller.signal }));
    controller.abort();
    const error = await work;
    expect(error.code).toBe(ABORTED);
    expect(isAborted(error)).toBe(true);
    expect(shown()).toEqual([]);
  });

  test("English texts follow the language", async () => {
    await setLanguage("en");
    server.use(http.get(api("/x"), () => failure(403)));
    expect((await caught(get("/x"))).msg).toBe("The current operation has no permission");
  });
});

describe("an expired token", () => {
  function signedIn(refresh = "r1"): void {
    localStorage.setItem("ACCESS_TOKEN", "old");
    if (refresh) localStorage.setItem("REFRESH_TOKEN", refresh);
    localStorage.setItem("TENANT_ID", "1");
  }

  /** Answers only the token "new"; counts refreshes. */
  function serve(refresh: () => Response | Promise<Response>) {
    const seen = { refreshes: 0, bodies: [] as unknown[], calls: [] as string[] };
    const guarded = ({ request }: { request: Request }) => {
      const token = request.headers.get("Authorization") ?? "";
      seen.calls.push(token);
      return token === "Bearer new" ? ok(token) : failure(401, "账号未登录");
    };
    server.use(
      http.get(api("/a"), guarded),
      http.get(api("/b"), guarded),
      http.delete(api("/c"), guarded),
      http.post(api("/system/auth/refresh-token"), async ({ request }) => {
        seen.refreshes += 1;
        seen.bodies.push(await request.json());
        return refresh();
      }),
    );
    return seen;
  }

  test("is refreshed once for all calls made meanwhile, which are then retried", async () => {
    signedIn();
    const seen = serve(async () => {
      await delay(30);
      return ok({ accessToken: "new", refreshToken: "r2" });
    });
    const results = await Promise.all([get("/a"), get("/b"), del("/c", { id: 1 })]);
    expect(results).toEqual(["Bearer new", "Bearer new", "Bearer new"]);
    expect(seen.refreshes).toBe(1);
    expect(seen.bodies).toEqual([{ refreshToken: "r1" }]);
    expect(localStorage.getItem("ACCESS_TOKEN")).toBe("new");
    expect(localStorage.getItem("REFRESH_TOKEN")).toBe("r2");
    expect(shown()).toEqual([]);
  });

  test("a token another tab has renewed is used without refreshing", async () => {
    signedIn();
    const seen = serve(() => ok(null));
    server.use(
      http.get(api("/a"), ({ request }) => {
        localStorage.setItem("ACCESS_TOKEN", "new");
        return request.headers.get("Authorization") === "Bearer new" ? ok(1) : failure(401);
      }),
    );
    expect(await get("/a")).toBe(1);
    expect(seen.refreshes).toBe(0);
  });

  test.each([
    ["refusing", () => failure(401, "刷新令牌已过期")],
    ["an unknown token", () => failure(400, "无效的刷新令牌")],
    ["no answer", () => HttpResponse.error()],
  ])("a failing refresh (%s) asks once to sign in again", async (_name, refresh) => {
    signedIn();
    serve(refresh as () => Response);
    const errors = await Promise.all([caught(get("/a")), caught(get("/b"))]);
    for (const error of errors) {
      expect(error).toMatchObject({ code: 401, msg: "无效的会话，或者会话已过期，请重新登录。" });
    }
    const questions = shown();
    expect(questions).toHaveLength(1);
    const [question] = questions;
    if (question?.kind !== "confirm") throw new Error("no question was asked");
    expect(question.options).toMatchObject({
      title: "系统提示",
      content: "登录状态已过期，您可以继续留在该页面，或者重新登录",
      okText: "重新登录",
    });
    question.done(false);
    await Promise.resolve();
    expect(localStorage.getItem("ACCESS_TOKEN")).toBe("old");
  });

  test("without a refresh token the question comes at once; choosing it leads to /index", async () => {
    signedIn("");
    const seen = serve(() => ok(null));
    const assign = vi.spyOn(window.location, "assign").mockImplementation(() => {});
    await caught(get("/a"));
    expect(seen.refreshes).toBe(0);
    const [question] = shown();
    if (question?.kind !== "confirm") throw new Error("no question was asked");
    question.done(true);
    await vi.waitFor(() => expect(assign).toHaveBeenCalledWith("/index"));
    expect(localStorage.getItem("ACCESS_TOKEN")).toBeNull();
  });

  test("a retried call that is refused again does not loop", async () => {
    signedIn();
    const seen = serve(() => ok({ accessToken: "newer", refreshToken: "r2" }));
    expect((await caught(get("/a", undefined, { relogin: false }))).code).toBe(401);
    expect(seen.refreshes).toBe(1);
    expect(seen.calls).toEqual(["Bearer old", "Bearer newer"]);
    expect(shown()).toEqual([]);
  });

  test("of several tabs only the holder of the lock refreshes", async () => {
    signedIn();
    const seen = serve(() => ok({ accessToken: "new", refreshToken: "r2" }));
    const request = vi.fn(async (_name: string, work: () => Promise<unknown>) => {
      // Another tab held the lock and stored its result before we came in.
      localStorage.setItem("ACCESS_TOKEN", "new");
      return work();
    });
    vi.stubGlobal("navigator", Object.assign(Object.create(navigator) as Navigator, {}));
    Object.defineProperty(navigator, "locks", { value: { request }, configurable: true });
    expect(await get("/a")).toBe("Bearer new");
    expect(request).toHaveBeenCalledOnce();
    expect(seen.refreshes).toBe(0);
    vi.unstubAllGlobals();
  });
});
