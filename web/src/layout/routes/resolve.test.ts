import { describe, expect, it } from "vitest";
import { breadcrumbTrail } from "./breadcrumb";
import { menu, sampleMenus } from "./fixture";
import { routesFromMenus } from "./fromMenus";
import { accordion, splitTopMenu, topMenuCapacity, topMenuOf, visibleMenus } from "./menuTree";
import { firstPage, matchRoute, menuChain, mergeRoutes } from "./resolve";
import { staticRoutes } from "./staticRoutes";
import { homePath, route } from "./types";

const routes = mergeRoutes(routesFromMenus(sampleMenus), staticRoutes);
const trail = (pathname: string) =>
  breadcrumbTrail(routes, matchRoute(routes, pathname)).map((entry) => entry.path);

describe("finding routes", () => {
  it.each([
    ["/index", "index"],
    ["/user/profile", "user/profile"],
    ["/user/notify-message", "user/notify-message"],
    ["/user/system-notice", "user/system-notice"],
    ["/dict/type/data/17", "dict/type/data"],
    ["/job/log", "job/log"],
    ["/codegen/edit/3", "codegen/edit"],
    ["/thesisCockpit", "thesisCockpit"],
    ["/academicCockpit", "academicCockpit"],
    ["/supplementary", "supplementary"],
    ["/bpm/manager/form", "bpm/manager/form"],
    ["/withdrawal/student/withdrawal", "student/withdrawal"],
  ])("%s is the page %s", (pathname, component) => {
    expect(matchRoute(routes, pathname)?.route.component).toBe(component);
  });

  it.each(["/dict/type/data/x1", "/codegen/edit/", "/codegen/edit/a", "/nowhere"])(
    "%s is unknown",
    (pathname) => {
      expect(matchRoute(routes, pathname)).toBeNull();
    },
  );

  it("lets a menu take over a declared address", () => {
    const own = routesFromMenus([
      menu("/bpm", "流程", { children: [menu("manager/form", "流程表单", { component: "bpm/form/index" })] }),
    ]);
    const merged = mergeRoutes(own, staticRoutes);
    expect(matchRoute(merged, "/bpm/manager/form")?.route).toMatchObject({
      component: "bpm/form/index",
      hidden: false,
    });
  });

  it("leads from a folder to its first shown page", () => {
    const folder = matchRoute(routes, "/system")?.route;
    expect(folder && firstPage(folder)?.path).toBe("/system/user");
  });
});

describe("breadcrumb", () => {
  it("prepends home", () => {
    expect(trail("/system/user")).toEqual([homePath, "/system", "/system/user"]);
  });

  it("does not repeat home on the home page", () => {
    expect(trail(homePath)).toEqual([homePath]);
  });

  it("leaves out entries whose breadcrumb flag is off and those without a title", () => {
    const parts = [
      ...staticRoutes,
      route("/a", {
        title: "甲",
        breadcrumb: false,
        children: [
          route("/a/b", { title: "", children: [route("/a/b/c", { title: "丙", component: "c" })] }),
        ],
      }),
    ];
    expect(breadcrumbTrail(parts, matchRoute(parts, "/a/b/c")).map((entry) => entry.path)).toEqual([
      homePath,
      "/a/b/c",
    ]);
  });

  it("puts a hidden page below the menu it marks as active", () => {
    expect(trail("/dict/type/data/17")).toEqual([
      homePath,
      "/system",
      "/system/dict",
      "/dict/type/data/:dictId",
    ]);
    expect(trail("/job/log")).toEqual([homePath, "/infra", "/infra/job", "/job/log"]);
  });

  it("is empty for an unknown address", () => {
    expect(trail("/nowhere")).toEqual([]);
  });
});

describe("menus", () => {
  it("shows neither hidden entries nor folders with nothing to show", () => {
    const shown = visibleMenus(routes);
    expect(shown.map((entry) => entry.path)).toEqual([homePath, "/system", "/infra"]);
    expect(shown[1]?.children.map((entry) => entry.path)).toEqual([
      "/system/user",
      "/system/dict",
      "/system/messages",
    ]);
  });

  it("shows a folder with a single page as that page unless it always shows", () => {
    const single = (alwaysShow: boolean) =>
      visibleMenus(
        routesFromMenus([
          menu("/fb", "反馈", { alwaysShow, icon: "ep:bell", children: [menu("list", "问题反馈")] }),
        ]),
      );
    expect(single(false)).toMatchObject([{ path: "/fb/list", icon: "ep:bell", children: [] }]);
    expect(single(true)).toMatchObject([{ path: "/fb", children: [{ path: "/fb/list" }] }]);
  });

  it("keeps one submenu open, with its ancestors", () => {
    const shown = visibleMenus(routes);
    expect(accordion(shown, ["/system"], ["/system", "/infra"])).toEqual(["/infra"]);
    expect(accordion(shown, ["/system"], ["/system", "/system/messages"])).toEqual([
      "/system",
      "/system/messages",
    ]);
    expect(accordion(shown, ["/system"], [])).toEqual([]);
  });
});

describe("top menu", () => {
  it("marks the shown entry a page stands under", () => {
    const all = mergeRoutes(
      routesFromMenus([
        ...sampleMenus,
        menu("/fb", "反馈", { alwaysShow: false, children: [menu("list", "问题反馈", { component: "fb" })] }),
      ]),
      staticRoutes,
    );
    const top = (pathname: string) =>
      topMenuOf(visibleMenus(all), menuChain(all, matchRoute(all, pathname)))?.path;
    expect(top("/system/user")).toBe("/system");
    expect(top("/dict/type/data/17")).toBe("/system");
    expect(top("/fb/list")).toBe("/fb/list");
    expect(top(homePath)).toBe(homePath);
    expect(top("/withdrawal/student/withdrawal")).toBeUndefined();
    expect(top("/nowhere")).toBeUndefined();
  });

  it.each([
    [1920, 7],
    [1440, 5],
    [1280, 5],
    [992, 3],
    [255, 1],
    [254, 0],
    [0, 0],
  ])("at %i px has room for %i entries", (width, room) => {
    expect(topMenuCapacity(width)).toBe(room);
  });

  it("puts what does not fit into the more menu", () => {
    const items = ["a", "b", "c", "d", "e", "f", "g"];
    expect(splitTopMenu(items, 1280)).toEqual({ shown: ["a", "b", "c", "d", "e"], more: ["f", "g"] });
    expect(splitTopMenu(items, 1920)).toEqual({ shown: items, more: [] });
  });
});
