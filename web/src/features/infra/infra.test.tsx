import { configure, fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { ComponentType } from "react";
import { beforeEach, describe, expect, test } from "vitest";
import { fillDicts, renderPage, signInAs } from "@/testing/render";
import { api, http, ok, server } from "@/testing/server";
import ConfigPage from "./config";
import FilePage from "./file";
import JobLogPage from "./job/JobLogPage";
import JobPage from "./job/JobPage";
import RunPage from "./job/RunPage";

// Pages load in several steps; a busy machine needs more than the usual second.
configure({ asyncUtilTimeout: 8000 });

/** An offered choice; screen readers get a second copy of it. */
const option = ".ant-select-item-option-content";

const base = { id: 7, version: 1, createTime: 1795240920000 };

beforeEach(() => {
  signInAs();
  fillDicts({
    infra_job_status: { 1: "正常", 2: "暂停" },
    infra_job_log_status: { 1: "成功", 2: "失败" },
    infra_config_type: { 1: "系统内置", 2: "自定义" },
  });
  server.use(http.get(api("/system/user/simple-list"), () => ok([])));
});

function show(Page: ComponentType, address = "/") {
  return { user: userEvent.setup({ delay: null }), ...renderPage(<Page />, address) };
}

function list(path: string, rows: object[]): URLSearchParams[] {
  const queries: URLSearchParams[] = [];
  server.use(
    http.get(api(path), ({ request }) => {
      queries.push(new URL(request.url).searchParams);
      return ok({ list: rows, total: rows.length });
    }),
  );
  return queries;
}

test("built-in parameters can be edited but not deleted, secrets are masked", async () => {
  const config = { ...base, key: "k", category: "c", remark: "" };
  list("/infra/config/page", [
    { ...config, name: "初始密码", value: "s3cret", type: 1, visible: false },
    { ...config, id: 8, name: "空间", value: "1024", type: 2, visible: true },
  ]);
  show(ConfigPage);
  await screen.findByText("1024");
  expect(screen.queryByText("s3cret")).toBeNull();
  expect(screen.getByRole("button", { name: "编辑 初始密码" }).getAttribute("aria-disabled")).toBeNull();
  expect(
    screen
      .getByRole("button", { name: "删除 初始密码（系统内置参数不能删除）" })
      .getAttribute("aria-disabled"),
  ).toBe("true");
  expect(screen.getByRole("button", { name: "删除 空间" }).getAttribute("aria-disabled")).toBeNull();
});

describe("files", () => {
  const file = {
    ...base,
    type: "application/pdf",
    size: 2048,
    slot: "document",
    userId: 1,
    path: "",
    sha256: "ab",
  };

  test("in use cannot be deleted", async () => {
    list("/infra/file/page", [
      { ...file, name: "a.pdf", owner: "thesis_subject", ownerId: 5 },
      { ...file, id: 8, name: "b.pdf", owner: "", ownerId: 0 },
    ]);
    show(FilePage);
    await screen.findByText("thesis_subject #5");
    expect(
      screen.getByRole("button", { name: /删除 a.pdf（文件正在被业务使用/ }).getAttribute("aria-disabled"),
    ).toBe("true");
    expect(screen.getByRole("button", { name: "删除 b.pdf" }).getAttribute("aria-disabled")).toBeNull();
  });

  test("are uploaded by hand, then the list is asked again", async () => {
    const queries = list("/infra/file/page", []);
    server.use(
      http.post(api("/infra/file/upload-begin"), async ({ request }) => {
        expect(await request.json()).toMatchObject({ name: "t.pdf", slot: "document" });
        return ok({ uploadId: "u1", offset: 0, chunkSize: 10 });
      }),
      http.put(api("/infra/file/upload-chunk"), () => ok({ offset: 3 })),
      http.post(api("/infra/file/upload-finish"), () => ok({ id: 88, name: "t.pdf", size: 3 })),
    );
    const { user } = show(FilePage);
    await user.click(await screen.findByRole("button", { name: "上传文件" }));
    const dialog = await screen.findByRole("dialog");
    const input = dialog.querySelector<HTMLInputElement>("input[type=file]");
    if (input) await user.upload(input, new File(["abc"], "t.pdf", { type: "application/pdf" }));
    await within(dialog).findByText("t.pdf");
    const before = queries.length;
    const [, close] = within(dialog).getAllByRole("button", { name: /关闭|Close/ });
    if (close) await user.click(close);
    await waitFor(() => expect(queries.length).toBeGreaterThan(before));
  });
});

describe("schedules", () => {
  const job = {
    ...base,
    name: "封存日志",
    handlerName: "audit.seal",
    handlerParam: "",
    cronExpression: "0 0 3 * * ?",
    retryCount: 3,
    retryInterval: 1000,
    monitorTimeout: 0,
    status: 1,
    nextTime: 1795240920000,
    lastTime: 0,
  };
  const paused = { ...job, id: 8, name: "清理", status: 2, nextTime: 0 };

  function calls(): string[] {
    const made: string[] = [];
    server.use(
      http.put(api("/infra/job/:call"), ({ request }) => {
        const url = new URL(request.url);
        made.push(url.pathname.replace("/admin-api", "") + url.search);
        return ok(true);
      }),
    );
    return made;
  }

  test("run once, pause and resume after a question", async () => {
    list("/infra/job/page", [job, paused]);
    const made = calls();
    const { user } = show(JobPage);
    const ask = async (button: string, text: RegExp, confirm: string) => {
      await user.click(await screen.findByRole("button", { name: button }));
      const box = (await screen.findByText(text)).closest(".ant-modal") as HTMLElement;
      await user.click(within(box).getByRole("button", { name: confirm }));
    };
    await ask("执行一次 封存日志", /立即执行「封存日志」/, "执行一次");
    await screen.findByText(/已开始执行「封存日志」/);
    await ask("暂停 封存日志", /确认暂停「封存日志」/, "暂停");
    await screen.findByText("已暂停「封存日志」");
    await ask("恢复 清理", /确认恢复「清理」/, "恢复");
    await screen.findByText("已恢复「清理」");
    expect(made).toEqual([
      "/infra/job/trigger?id=7",
      "/infra/job/update-status?id=7&status=2",
      "/infra/job/update-status?id=8&status=1",
    ]);
  });

  test("a paused one cannot be edited and says why", async () => {
    list("/infra/job/page", [paused]);
    const { user } = show(JobPage);
    await user.click(await screen.findByRole("button", { name: "更多 清理" }));
    const item = await screen.findByRole("menuitem", { name: /编辑（暂停的任务不能修改，请先恢复）/ });
    expect(item.getAttribute("aria-disabled")).toBe("true");
  });

  test("the detail tells the next five runs", async () => {
    list("/infra/job/page", [job]);
    server.use(
      http.get(api("/infra/job/get"), () => ok(job)),
      http.get(api("/infra/job/get_next_times"), () => ok([1795240920000, 1795327320000])),
    );
    const { user } = show(JobPage);
    await user.click(await screen.findByText("封存日志"));
    const next = await screen.findByRole("region", { name: "接下来的执行时间" });
    await waitFor(() => expect(within(next).getAllByRole("listitem")).toHaveLength(2));
  });

  test("a new one chooses its handler from those the program has", async () => {
    list("/infra/job/page", [job]);
    const bodies: unknown[] = [];
    server.use(
      http.get(api("/infra/job/handlers"), () => ok(["audit.seal", "web.expire-keys"])),
      http.post(api("/infra/job/create"), async ({ request }) => {
        bodies.push(await request.json());
        return ok(9);
      }),
    );
    const { user } = show(JobPage);
    await user.click(await screen.findByRole("button", { name: "新建定时任务" }));
    const drawer = await screen.findByRole("dialog");
    fireEvent.change(within(drawer).getByLabelText(/任务名称/), { target: { value: "清理键" } });
    fireEvent.mouseDown(within(drawer).getByLabelText(/处理器/));
    await user.click(await screen.findByText("web.expire-keys", { selector: option }));
    await user.click(within(drawer).getByRole("button", { name: "新建定时任务" }));
    await screen.findByText("已新建定时任务");
    expect(bodies[0]).toEqual({
      name: "清理键",
      handlerName: "web.expire-keys",
      handlerParam: "",
      cronExpression: "0 0 3 * * ?",
      retryCount: 3,
      retryInterval: 60000,
      monitorTimeout: 0,
    });
  });
});

describe("the schedule log", () => {
  const log = {
    ...base,
    jobId: 1,
    handlerName: "audit.seal",
    status: 1,
    beginTime: 1795240920000,
    duration: 12,
  };

  test("takes the schedule and the period from the address", async () => {
    const queries = list("/infra/job-log/page", [log]);
    show(JobLogPage, "/job/log?jobId=1&from=2026-11-01&to=2026-11-21");
    await screen.findByText("audit.seal");
    expect(Object.fromEntries(queries[0] ?? [])).toEqual({
      pageNo: "1",
      pageSize: "20",
      jobId: "1",
      beginTime: "2026-11-01 00:00:00",
      endTime: "2026-11-21 23:59:59",
    });
  });

  test("background work that failed for good is found and started again", async () => {
    list("/infra/job-log/page", [log]);
    const run = { ...base, name: "notice.push", state: 3, tries: 5, maxTries: 5, lastError: "断开" };
    const queries = list("/infra/job-run/page", [run, { ...run, id: 8, state: 2, name: "done" }]);
    const retried: (string | null)[] = [];
    server.use(
      http.put(api("/infra/job-run/retry"), ({ request }) => {
        retried.push(new URL(request.url).searchParams.get("id"));
        return ok(true);
      }),
    );
    const { user } = show(RunPage);
    await screen.findByText("notice.push");
    expect(screen.queryByRole("button", { name: "重新执行 done" })).toBeNull();
    await user.click(screen.getByText("失败", { selector: ".ant-segmented-item-label" }));
    await waitFor(() => expect(queries.at(-1)?.get("state")).toBe("3"));
    await user.click(screen.getByRole("button", { name: "重新执行 notice.push" }));
    await screen.findByText("已重新排队，稍后执行");
    expect(retried).toEqual(["7"]);
  });
});
