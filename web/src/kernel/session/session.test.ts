import { beforeEach, describe, expect, test, vi } from "vitest";
import { dictEntries, useDictStore } from "@/kernel/dict/store";
import { api, failure, http, ok, server } from "@/testing/server";
import { endSession, loadSession, logout, signInRoute, startSession } from "./flow";
import { canRememberPassword, recallPassword, rememberPassword } from "./password";
import { saveTenant, saveTokens, writeItem } from "./storage";
import { ROLE_DEFAULT, useSession } from "./store";
import type { MenuItem, PermissionInfo } from "./types";

const staff: PermissionInfo = {
  user: { id: 1, username: "t", nickname: "老师", type: 2 },
  roles: ["teacher"],
  permissions: ["system:post:query"],
  menus: [],
};

function menu(part: Partial<MenuItem>): MenuItem {
  return {
    id: 1,
    parentId: 0,
    name: "",
    path: "",
    component: null,
    visible: true,
    keepAlive: true,
    alwaysShow: true,
    children: null,
    ...part,
  };
}

beforeEach(() => useSession.getState().clear());

describe("stored items", () => {
  test("keep plain values under the fixed names", () => {
    saveTokens({ accessToken: "a", refreshToken: "r" });
    saveTenant(7, "青岚大学");
    writeItem("REMEMBER_ME", "true");
    expect({ ...localStorage }).toMatchObject({
      ACCESS_TOKEN: "a",
      REFRESH_TOKEN: "r",
      TENANT_ID: "7",
      TENANT_NAME: "青岚大学",
      REMEMBER_ME: "true",
    });
    writeItem("REMEMBER_ME", "");
    expect(localStorage.getItem("REMEMBER_ME")).toBeNull();
  });
});

describe("loading the session", () => {
  test("fetches who is signed in and the dictionaries", async () => {
    server.use(
      http.get(api("/system/auth/get-permission-info"), () => ok(staff)),
      http.get(api("/system/dict-data/list-all-simple"), () =>
        ok([{ dictType: "common_status", value: 0, label: "开启" }]),
      ),
    );
    await loadSession();
    expect(useSession.getState()).toMatchObject({ ready: true, roles: ["teacher"] });
    expect(dictEntries("common_status")[0]).toMatchObject({ value: "0", label: "开启" });
  });

  test("a failure rejects and leaves nobody signed in", async () => {
    server.use(http.get(api("/system/auth/get-permission-info"), () => failure(500, "坏了")));
    await expect(loadSession()).rejects.toMatchObject({ code: 500, msg: "坏了" });
    expect(useSession.getState().ready).toBe(false);
  });
});

describe("roles, permissions and menus", () => {
  test("no roles become ROLE_DEFAULT", () => {
    useSession.getState().apply({ ...staff, roles: [] });
    expect(useSession.getState().roles).toEqual([ROLE_DEFAULT]);
    expect(useSession.getState().permissions).toEqual(["system:post:query"]);
  });

  test("students get the built-in menu and permissions merged in", () => {
    useSession.getState().apply({
      ...staff,
      user: { ...staff.user, type: 1 },
      permissions: ["thesis:feedback:query", "x:y:z"],
      menus: [
        menu({
          id: 9,
          path: "/study",
          name: "学习",
          children: [menu({ id: 10, path: "myCourse", name: "课程" })],
        }),
      ],
    });
    const { menus, permissions } = useSession.getState();
    expect(menus.map((item) => item.path)).toEqual([
      "/study",
      "/studentEnd",
      "/myThesis",
      "/student",
      "/withdrawal",
      "/feedback",
    ]);
    expect(menus[0]?.name).toBe("学习");
    expect(menus[0]?.children?.map((item) => [item.path, item.name])).toEqual([
      ["myCourse", "课程"],
      ["myScore", "我的成绩"],
    ]);
    expect(menus.map((item) => item.name)).toEqual([
      "学习",
      "我的导师",
      "我的论文",
      "证书",
      "退学申请",
      "问题反馈",
    ]);
    const thesis = menus.find((item) => item.path === "/myThesis");
    expect(thesis?.children?.map((item) => [item.path, item.name])).toEqual([
      ["students-subject", "选题申报"],
      ["students-open-subject", "开题报告"],
      ["pre-defense-application", "预答辩申请"],
      ["blindReviewStudent", "盲审结果"],
      ["defense-application", "答辩申请"],
      ["archivingStudent", "论文归档提交"],
      ["achievementsStudent", "学术成果提交"],
    ]);
    expect(menus.find((item) => item.path === "/withdrawal")?.visible).toBe(false);
    // 4 entities with 5 verbs, 13 single permissions, one of the server's own.
    expect(permissions).toHaveLength(4 * 5 + 13 + 1);
    expect(new Set(permissions).size).toBe(permissions.length);
    expect(permissions).toEqual(
      expect.arrayContaining([
        "thesis:achievements-student:export",
        "thesis:students-subject:submit",
        "thesis:students-open-subject:download",
        "thesis:students:gotoRoom",
        "thesis:video-playback:getPage",
        "thesis:student-status-change:dropOut",
        "thesis:course-score:getStudentCourseScore",
        "system:notice:query",
      ]),
    );
  });

  test("staff get nothing added", () => {
    useSession.getState().apply(staff);
    expect(useSession.getState()).toMatchObject({ menus: [], permissions: ["system:post:query"] });
  });
});

describe("ending the session", () => {
  test("tells the server and forgets everything, also when it cannot be reached", async () => {
    startSession({ accessToken: "a", refreshToken: "r" });
    useSession.getState().apply(staff);
    useDictStore.setState({ loaded: true, byType: {} });
    server.use(http.post(api("/system/auth/logout"), () => failure(500)));
    await endSession();
    expect(localStorage.getItem("ACCESS_TOKEN")).toBeNull();
    expect(localStorage.getItem("REFRESH_TOKEN")).toBeNull();
    expect(useSession.getState()).toMatchObject({ ready: false, user: null });
    expect(useDictStore.getState().loaded).toBe(false);
  });

  test("the user type decides the sign-in page", async () => {
    expect(signInRoute(1)).toBe("/studentLogin");
    expect(signInRoute(2)).toBe("/login");
    const assign = vi.spyOn(window.location, "assign").mockImplementation(() => {});
    server.use(http.post(api("/system/auth/logout"), () => ok(true)));
    useSession.getState().apply({ ...staff, user: { ...staff.user, type: 1 } });
    await logout();
    expect(assign).toHaveBeenCalledWith("/studentLogin");
  });
});

describe("the remembered password", () => {
  test("without the browser's key store nothing is kept", async () => {
    vi.stubGlobal("indexedDB", undefined);
    expect(canRememberPassword()).toBe(false);
    expect(await rememberPassword("secret")).toBe(false);
    expect(localStorage.getItem("PASSWORD")).toBeNull();
    localStorage.setItem("PASSWORD", "aXY=.c2VhbGVk");
    expect(await recallPassword()).toBe("");
    vi.unstubAllGlobals();
  });

  test("is stored sealed and can be opened again; a damaged one is forgotten", async () => {
    vi.stubGlobal("indexedDB", memoryKeys());
    expect(await rememberPassword("Viva@2026")).toBe(true);
    const stored = localStorage.getItem("PASSWORD") ?? "";
    expect(stored).not.toContain("Viva@2026");
    expect(atob(stored.split(".")[1] ?? "")).not.toContain("Viva@2026");
    expect(await recallPassword()).toBe("Viva@2026");
    localStorage.setItem("PASSWORD", `${stored.split(".")[0]}.AAAAAAAAAAAAAAAAAAAAAAAAAAAA`);
    expect(await recallPassword()).toBe("");
    expect(localStorage.getItem("PASSWORD")).toBeNull();
    vi.unstubAllGlobals();
  });
});

/** As much of IndexedDB as one key needs. */
function memoryKeys() {
  const keys = new Map<string, unknown>();
  const answer = (result: unknown) => {
    const request = { result, onsuccess: null as null | (() => void), onerror: null };
    queueMicrotask(() => request.onsuccess?.());
    return request;
  };
  const objectStore = {
    get: (key: string) => answer(keys.get(key)),
    put: (value: unknown, key: string) => {
      keys.set(key, value);
      return answer(key);
    },
  };
  const database = { transaction: () => ({ objectStore: () => objectStore }), close: () => {} };
  return { open: () => answer(database) };
}
