import { beforeEach, describe, expect, it } from "vitest";
import { useSidebar } from "./sidebar";

beforeEach(() => {
  localStorage.clear();
  useSidebar.setState({ opened: true, hidden: false, topChoice: null, device: "desktop" });
});

describe("sidebar", () => {
  it("saves whether it is open", () => {
    useSidebar.getState().toggle();
    expect(useSidebar.getState().opened).toBe(false);
    expect(localStorage.getItem("sidebarStatus")).toBe("0");
    useSidebar.getState().toggle();
    expect(localStorage.getItem("sidebarStatus")).toBe("1");
  });

  it("opens when the layout is created", () => {
    useSidebar.getState().toggle();
    useSidebar.getState().create();
    expect(useSidebar.getState().opened).toBe(true);
    expect(localStorage.getItem("sidebarStatus")).toBe("1");
  });

  it.each([true, false])("is open (%s) again after a visit to the narrow screen", (opened) => {
    if (!opened) useSidebar.getState().toggle();
    useSidebar.getState().setDevice("mobile");
    expect(useSidebar.getState().opened).toBe(false);
    useSidebar.getState().toggle();
    expect(useSidebar.getState().opened).toBe(true);
    useSidebar.getState().close();
    expect(localStorage.getItem("sidebarStatus") ?? "1").toBe(opened ? "1" : "0");
    useSidebar.getState().setDevice("desktop");
    expect(useSidebar.getState().opened).toBe(opened);
  });

  it("cannot be toggled while hidden", () => {
    useSidebar.getState().setHidden(true);
    useSidebar.getState().toggle();
    expect(useSidebar.getState().opened).toBe(true);
  });

  it("hides for a top menu page without submenu and shows for one with", () => {
    useSidebar.getState().chooseTop(null);
    expect(useSidebar.getState().hidden).toBe(true);
    useSidebar.getState().chooseTop("/system");
    expect(useSidebar.getState()).toMatchObject({ hidden: false, topChoice: "/system" });
  });
});
