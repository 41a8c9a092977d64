import { describe, expect, it } from "vitest";
import { menu, sampleMenus } from "./fixture";
import { joinPath, routesFromMenus } from "./fromMenus";
import { flattenRoutes, matchRoute } from "./resolve";

const paths = (menus: Parameters<typeof routesFromMenus>[0]) =>
  flattenRoutes(routesFromMenus(menus)).map((match) => match.route.path);

describe("routes from menus", () => {
  it("joins relative paths to their parents", () => {
    expect(paths(sampleMenus)).toEqual([
      "/system",
      "/system/user",
      "/system/dict",
      "/system/secret",
      "/system/messages",
      "/system/messages/mail",
      "/infra",
      "/infra/job",
      "/infra/swagger",
      "https://example.org/help",
      "/withdrawal",
      "/withdrawal/student/withdrawal",
    ]);
  });

  it("takes a child path with a leading slash as it is", () => {
    expect(joinPath("/system", "/other/page")).toBe("/other/page");
    expect(joinPath("/system/", "user")).toBe("/system/user");
  });

  it("carries page key, caching, name and visibility", () => {
    const routes = routesFromMenus(sampleMenus);
    const user = matchRoute(routes, "/system/user")?.route;
    expect(user).toMatchObject({
      component: "system/user/index",
      name: "SystemUser",
      keepAlive: true,
      hidden: false,
    });
    expect(matchRoute(routes, "/system/dict")?.route).toMatchObject({ keepAlive: false, name: "Dict" });
    expect(matchRoute(routes, "/system/secret")?.route.hidden).toBe(true);
  });

  it("opens a web address in a new tab and embeds a web address given as component", () => {
    const routes = routesFromMenus(sampleMenus);
    const link = flattenRoutes(routes).find((match) => match.route.path === "https://example.org/help");
    expect(link?.route).toMatchObject({ external: true, frame: null });
    expect(matchRoute(routes, "/infra/swagger")?.route).toMatchObject({
      external: false,
      component: null,
      frame: "https://docs.example.org/api",
    });
  });

  it("embeds a web address whose menu is marked as inner link, under an address of our own", () => {
    const [route] = routesFromMenus([menu("https://a.org/x/?q=1", "报表", { component: "InnerLink" })]);
    expect(route).toMatchObject({ path: "/frame/a.org/x", frame: "https://a.org/x/?q=1", external: false });
  });

  it("treats # as no icon, finds a page without component by its path, and drops queries", () => {
    const [plain, query] = routesFromMenus([
      menu("/study", "学习", { icon: "#" }),
      menu("/report?year=1", "报表", { component: "thesis/report/index?year=1" }),
    ]);
    expect(plain).toMatchObject({ icon: "", component: "study" });
    expect(query).toMatchObject({ path: "/report", component: "thesis/report/index" });
  });
});
