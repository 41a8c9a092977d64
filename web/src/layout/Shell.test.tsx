import { focusManager } from "@tanstack/react-query";
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { Modal } from "antd";
import { useState } from "react";
import { useLocation, useSearchParams } from "react-router";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { useSettings } from "@/kernel/theme";
import { useUnsaved } from "@/kernel/ui";
import { renderPage, signInAs } from "@/testing/render";
import { api, http, ok, server } from "@/testing/server";
import { menu, sampleMenus } from "./routes/fixture";
import type { PageRegistry } from "./routes/types";
import { Shell } from "./Shell";
import { useSidebar } from "./stores/sidebar";
import { useTags } from "./stores/tags";
import { useTabActive } from "./tabActive";

function UserPage() {
  const { pathname } = useLocation();
  const [params] = useSearchParams();
  const [open, setOpen] = useState(false);
  const [draft, setDraft] = useState("");
  useUnsaved(draft !== "");
  return (
    <div>
      <h1>用户列表</h1>
      <p data-testid="user-place">{pathname + (params.get("q") ?? "")}</p>
      <p data-testid="user-active">{String(useTabActive())}</p>
      <input aria-label="备注" />
      <input aria-label="草稿" value={draft} onChange={(event) => setDraft(event.target.value)} />
      <button type="button" onClick={() => setOpen(true)}>
        打开对话框
      </button>
      <Modal open={open} title="对话框" onCancel={() => setOpen(false)} />
    </div>
  );
}

function DictPage() {
  return <input aria-label="字典备注" />;
}

const named = (name: string) => async () => ({ default: () => <h1>{name}</h1> });

const pages: PageRegistry = {
  index: named("工作台"),
  "system/user/index": async () => ({ default: UserPage }),
  "system/dict/index": async () => ({ default: DictPage }),
  "infra/job/index": named("任务列表"),
};

async function showShell(address: string) {
  const view = renderPage(<Shell pages={pages} />, address);
  await screen.findByRole("main");
  return { ...view, user: userEvent.setup({ delay: null }) };
}

beforeEach(() => {
  signInAs({ menus: sampleMenus });
  useTags.getState().clear();
  useSettings.setState({ topNav: false, tagsView: true, fixedHeader: false, dynamicTitle: false });
  useSidebar.setState({ opened: false, hidden: false, topChoice: null });
  server.use(
    http.get(api("/thesis/system-config/get"), () => ok({ id: 1, name: "<b>青岚</b>论文", url: null })),
    http.get(api("/system/notify-message/get-unread-count"), () => ok(2)),
  );
});

afterEach(() => vi.unstubAllGlobals());

const tabNames = () => screen.getAllByRole("tab").map((tab) => tab.textContent);

describe("unsaved work", () => {
  it("is asked about when the page would go away, and kept when one stays", async () => {
    useSettings.setState({ tagsView: false });
    const { router, user } = await showShell("/system/user");
    await user.type(await screen.findByLabelText("草稿"), "一半");
    await act(() => router.navigate("/index"));
    await user.click(await screen.findByRole("button", { name: "继续编辑" }));
    expect(screen.getByLabelText("草稿")).toHaveProperty("value", "一半");
    expect(router.state.location.pathname).toBe("/system/user");
    await act(() => router.navigate("/index"));
    await user.click(await screen.findByRole("button", { name: "离开" }));
    expect(await screen.findByRole("heading", { name: "工作台" })).toBeTruthy();
  });

  it("stays alive behind its tab without a question", async () => {
    const { router, user } = await showShell("/system/user");
    await user.type(await screen.findByLabelText("草稿"), "一半");
    await act(() => router.navigate("/index"));
    expect(await screen.findByRole("heading", { name: "工作台" })).toBeTruthy();
    expect(screen.getByLabelText("草稿")).toHaveProperty("value", "一半");
  });
});

describe("shell", () => {
  it("leads the root to the home page, pinned in the tags bar", async () => {
    const { router } = await showShell("/");
    expect(await screen.findByRole("heading", { name: "工作台" })).toBeTruthy();
    expect(router.state.location.pathname).toBe("/index");
    expect(tabNames()).toEqual(["首页"]);
  });

  it("leads a folder to its first page and an unknown address to /404", async () => {
    const { router } = await showShell("/system");
    expect(await screen.findByRole("heading", { name: "用户列表" })).toBeTruthy();
    await act(() => router.navigate("/no/such/page"));
    await waitFor(() => expect(router.state.location.pathname).toBe("/404"));
  });

  it("shows one clear state for a page nobody has built", async () => {
    await showShell("/user/profile");
    expect(await screen.findByRole("heading", { name: "该页面尚未开放" })).toBeTruthy();
  });

  it("opens the sidebar when the layout is created and saves it", async () => {
    await showShell("/index");
    expect(useSidebar.getState().opened).toBe(true);
    expect(localStorage.getItem("sidebarStatus")).toBe("1");
  });

  it("takes the title from the system configuration, with the page in front when titles are dynamic", async () => {
    await showShell("/system/user");
    await waitFor(() => expect(document.title).toBe("青岚论文"));
    act(() => useSettings.getState().change({ dynamicTitle: true }));
    expect(document.title).toBe("用户管理 - 青岚论文");
    act(() => useTags.getState().setTitle("/system/user", "李同学"));
    expect(document.title).toBe("李同学 - 青岚论文");
    act(() => useTags.getState().setTitle("/system/user", null));
    expect(document.title).toBe("用户管理 - 青岚论文");
  });

  it("is loaded anew when another tab signs out", async () => {
    const reload = vi.spyOn(window.location, "reload").mockImplementation(() => {});
    await showShell("/index");
    localStorage.removeItem("ACCESS_TOKEN");
    act(() => {
      window.dispatchEvent(new StorageEvent("storage", { key: "ACCESS_TOKEN", storageArea: localStorage }));
    });
    await waitFor(() => expect(reload).toHaveBeenCalledOnce());
    reload.mockRestore();
  });
});

describe("narrow screens", () => {
  it("have the whole menu in a drawer on every page, also with top navigation on", async () => {
    act(() => useSettings.getState().change({ topNav: true }));
    vi.stubGlobal("matchMedia", (media: string) => ({
      matches: media.includes("max-width"),
      media,
      addEventListener() {},
      removeEventListener() {},
    }));
    const { user } = await showShell("/index");
    expect(screen.queryByRole("navigation", { name: "顶部菜单" })).toBeNull();
    expect(screen.queryByRole("navigation", { name: "主菜单" })).toBeNull();
    await user.click(screen.getByRole("button", { name: "展开侧边栏" }));
    const side = await screen.findByRole("navigation", { name: "主菜单" });
    for (const name of ["首页", "系统管理", "基础设施"]) expect(within(side).getByText(name)).toBeTruthy();
    expect(localStorage.getItem("sidebarStatus")).toBe("1");
  });
});

describe("kept-alive views", () => {
  it("keeps what was typed, the address and an open dialog of a hidden page", async () => {
    const { router, user } = await showShell("/system/user?q=7");
    await user.type(await screen.findByLabelText("备注"), "未保存");
    await user.click(screen.getByRole("button", { name: "打开对话框" }));
    const pane = screen.getByTestId("user-place").closest(".shell-pane") as HTMLElement;
    expect(within(pane).getByText("对话框")).toBeTruthy();

    await act(() => router.navigate("/infra/job"));
    expect(await screen.findByRole("heading", { name: "任务列表" })).toBeTruthy();
    expect(pane.hidden).toBe(true);
    expect(screen.getByTestId("user-place").textContent).toBe("/system/user7");
    expect(screen.getByTestId("user-active").textContent).toBe("false");

    await act(() => router.navigate("/system/user?q=8"));
    expect(pane.hidden).toBe(false);
    expect(pane.querySelector<HTMLInputElement>("input")?.value).toBe("未保存");
    expect(screen.getByTestId("user-place").textContent).toBe("/system/user8");
    expect(within(pane).getByText("对话框")).toBeTruthy();
  });

  it("drops a page whose menu asks not to be kept", async () => {
    const { router, user } = await showShell("/system/dict");
    await user.type(await screen.findByLabelText("字典备注"), "x");
    await act(() => router.navigate("/infra/job"));
    expect(screen.queryByLabelText("字典备注")).toBeNull();
    await act(() => router.navigate("/system/dict"));
    expect((await screen.findByLabelText<HTMLInputElement>("字典备注")).value).toBe("");
  });

  it("builds a view anew through /redirect and keeps its query", async () => {
    const { router, user } = await showShell("/system/user?q=7");
    await user.type(await screen.findByLabelText("备注"), "未保存");
    await act(() => router.navigate("/redirect/system/user?q=7"));
    await waitFor(() => expect(router.state.location.pathname).toBe("/system/user"));
    expect(router.state.location.search).toBe("?q=7");
    expect((await screen.findByLabelText<HTMLInputElement>("备注")).value).toBe("");
  });
});

describe("tags bar", () => {
  it("shows visited pages as tabs that control their panels", async () => {
    const { router } = await showShell("/system/user");
    await act(() => router.navigate("/infra/job"));
    expect(tabNames()).toEqual(["首页", "用户管理", "定时任务"]);
    const tab = screen.getByRole("tab", { name: "定时任务" });
    expect(tab.getAttribute("aria-selected")).toBe("true");
    expect(document.getElementById(tab.getAttribute("aria-controls") ?? "")?.getAttribute("role")).toBe(
      "tabpanel",
    );
  });

  it("moves by arrow keys, opens with Enter and closes with Delete, but never the pinned tab", async () => {
    const { router, user } = await showShell("/system/user");
    await act(() => router.navigate("/infra/job"));
    screen.getByRole("tab", { name: "定时任务" }).focus();
    await user.keyboard("{ArrowLeft}{Enter}");
    await waitFor(() => expect(router.state.location.pathname).toBe("/system/user"));
    await user.keyboard("{Delete}");
    await waitFor(() => expect(tabNames()).toEqual(["首页", "定时任务"]));
    await waitFor(() => expect(router.state.location.pathname).toBe("/index"));
    screen.getByRole("tab", { name: "首页" }).focus();
    await user.keyboard("{Delete}");
    expect(tabNames()).toEqual(["首页", "定时任务"]);
  });

  it("closes a tab whose page the router has gone to but not drawn yet", async () => {
    const { router } = await showShell("/system/dict");
    await act(() => router.navigate("/system/user"));
    await screen.findByLabelText("备注");
    const dict = screen.getByRole("tab", { name: "字典管理" });
    await act(async () => {
      await router.navigate("/system/dict");
      fireEvent.keyDown(dict, { key: "Delete" });
    });
    await waitFor(() => expect(router.state.location.pathname).toBe("/index"));
    expect(tabNames()).toEqual(["首页", "用户管理"]);
  });

  it("closes with the middle button and through the menu of the right button", async () => {
    const { router, user } = await showShell("/system/user");
    await act(() => router.navigate("/system/dict"));
    await act(() => router.navigate("/infra/job"));
    await user.pointer({ keys: "[MouseMiddle]", target: screen.getByRole("tab", { name: "字典管理" }) });
    await waitFor(() => expect(tabNames()).toEqual(["首页", "用户管理", "定时任务"]));
    await user.pointer({ keys: "[MouseRight]", target: screen.getByRole("tab", { name: "用户管理" }) });
    const items = await screen.findAllByRole("menuitem", { name: /刷新页面|关闭/ });
    expect(items.map((item) => item.textContent)).toEqual([
      "刷新页面",
      "关闭当前",
      "关闭其他",
      "关闭右侧",
      "全部关闭",
    ]);
    await user.click(screen.getByRole("menuitem", { name: /关闭右侧/ }));
    await waitFor(() => expect(tabNames()).toEqual(["首页", "用户管理"]));
    expect(router.state.location.pathname).toBe("/system/user");
  });
});

describe("navbar", () => {
  it("fills the sidebar from the chosen top menu and hides it for a leaf", async () => {
    act(() => useSettings.getState().change({ topNav: true }));
    vi.stubGlobal("innerWidth", 1280);
    const { router, user } = await showShell("/system/user");
    const top = screen.getByRole("navigation", { name: "顶部菜单" });
    const side = () => screen.queryByRole("navigation", { name: "主菜单" });
    await user.click(within(top).getByText("基础设施"));
    await waitFor(() => expect(within(side() as HTMLElement).getByText("定时任务")).toBeTruthy());
    expect(router.state.location.pathname).toBe("/system/user");
    await user.click(within(top).getByText("首页"));
    await waitFor(() => expect(side()).toBeNull());
    expect(router.state.location.pathname).toBe("/index");
    useSidebar.getState().toggle();
    expect(useSidebar.getState().opened).toBe(true);
  });

  it("marks the folder's only page and has no sidebar where the menu has nothing to put there", async () => {
    act(() => useSettings.getState().change({ topNav: true }));
    vi.stubGlobal("innerWidth", 1280);
    signInAs({
      menus: [
        ...sampleMenus,
        menu("/fb", "反馈", {
          alwaysShow: false,
          children: [menu("list", "问题反馈", { component: "infra/job/index" })],
        }),
      ],
    });
    const { router } = await showShell("/fb/list");
    const top = screen.getByRole("navigation", { name: "顶部菜单" });
    const marked = () => top.querySelector(".ant-menu-item-selected")?.textContent;
    const side = () => screen.queryByRole("navigation", { name: "主菜单" });
    await waitFor(() => expect(marked()).toBe("问题反馈"));
    expect(side()).toBeNull();
    await act(() => router.navigate("/system/user"));
    await waitFor(() => expect(marked()).toBe("系统管理"));
    expect(within(side() as HTMLElement).getByText("用户管理")).toBeTruthy();
    // A page of a folder that is not shown.
    await act(() => router.navigate("/withdrawal/student/withdrawal"));
    await waitFor(() => expect(side()).toBeNull());
    expect(marked()).toBeUndefined();
  });

  it("opens links of the menu elsewhere", async () => {
    const opened = vi.spyOn(window, "open").mockReturnValue(null);
    const { router, user } = await showShell("/infra/job");
    await user.click(screen.getByText("帮助中心"));
    expect(opened).toHaveBeenCalledWith(
      "https://example.org/help",
      "_blank",
      expect.stringContaining("noopener"),
    );
    expect(router.state.location.pathname).toBe("/infra/job");
  });

  it("shows unread messages and takes the dot away once they are listed", async () => {
    server.use(
      http.get(api("/system/notify-message/get-unread-list"), () =>
        ok([
          {
            id: 5,
            templateNickname: "学位办",
            createTime: 1_700_000_000_000,
            templateType: 2,
            templateContent: "选题已通过",
          },
        ]),
      ),
    );
    const { router, user } = await showShell("/index");
    const bell = await screen.findByRole("button", { name: "站内信，2 条未读" });
    await user.click(bell);
    expect(await screen.findByText("学位办")).toBeTruthy();
    expect(screen.getByText("选题已通过")).toBeTruthy();
    await waitFor(() => expect(screen.getByRole("button", { name: "站内信" })).toBeTruthy());
    await user.click(screen.getByRole("button", { name: "查看全部" }));
    await waitFor(() => expect(router.state.location.pathname).toBe("/user/notify-message"));
  });

  it("asks for the number of unread messages every two minutes, also in a hidden window", async () => {
    let asked = 0;
    server.use(
      http.get(api("/system/notify-message/get-unread-count"), () => {
        asked += 1;
        return ok(asked);
      }),
    );
    vi.useFakeTimers({ shouldAdvanceTime: true });
    focusManager.setFocused(false);
    try {
      await showShell("/index");
      await waitFor(() => expect(asked).toBe(1));
      await act(() => vi.advanceTimersByTimeAsync(110_000));
      expect(asked).toBe(1);
      await act(() => vi.advanceTimersByTimeAsync(10_000));
      await waitFor(() => expect(asked).toBe(2));
    } finally {
      focusManager.setFocused(undefined);
    }
  });

  it("finds a page by name and goes there with Enter", async () => {
    const { router, user } = await showShell("/index");
    await user.keyboard("{Control>}k{/Control}");
    const box = await screen.findByRole("combobox", { name: "搜索菜单" });
    await user.type(box, "定时任务");
    await waitFor(() => expect(screen.getAllByRole("option")[0]?.textContent).toContain("定时任务"));
    await user.keyboard("{Enter}");
    await waitFor(() => expect(router.state.location.pathname).toBe("/infra/job"));
  });

  it("says when the browser has no full screen", async () => {
    expect(document.fullscreenEnabled).toBeFalsy();
    const { user } = await showShell("/index");
    await user.click(screen.getByRole("button", { name: "全屏" }));
    expect(await screen.findByText("你的浏览器不支持全屏")).toBeTruthy();
  });

  it("asks before signing out", async () => {
    const { user } = await showShell("/index");
    await user.click(screen.getByRole("button", { name: "管理员的账户菜单" }));
    await user.click(await screen.findByRole("menuitem", { name: "退出登录" }));
    expect(await screen.findByText("确定注销并退出系统吗？")).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "取消" }));
    expect(localStorage.getItem("ACCESS_TOKEN")).toBe("token-1");
  });
});

describe("students", () => {
  it("get the built-in menu, without its hidden folder", async () => {
    signInAs({
      user: { id: 9, username: "s1", nickname: "李同学", type: 1 },
      menus: [menu("/extra", "附加")],
    });
    await showShell("/index");
    const side = screen.getByRole("navigation", { name: "主菜单" });
    expect(within(side).getByText("我的论文")).toBeTruthy();
    expect(within(side).queryByText("退学申请")).toBeNull();
  });
});
