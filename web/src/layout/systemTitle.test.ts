import { describe, expect, it } from "vitest";
import page from "../../index.html?raw";
import { documentTitle, fallbackTitle, stripTags, systemTitleOf } from "./systemTitle";

describe("titles", () => {
  it("strips markup from the configured title", () => {
    expect(stripTags("<b>青岚大学</b><br/>学位 <i>论文</i>系统")).toBe("青岚大学学位 论文系统");
    expect(stripTags("a &lt; b")).toBe("a < b");
  });

  it("falls back to the fixed title", () => {
    expect(systemTitleOf(undefined)).toBe(fallbackTitle);
    expect(systemTitleOf({ id: 1, name: "<p></p>", signDescription: null, url: null })).toBe("论文申请系统");
    expect(page).toContain(`<title>${fallbackTitle}</title>`);
  });

  it("puts the page first only when titles are dynamic", () => {
    expect(documentTitle("用户管理", "系统", true)).toBe("用户管理 - 系统");
    expect(documentTitle("用户管理", "系统", false)).toBe("系统");
    expect(documentTitle("", "系统", true)).toBe("系统");
  });
});
