// @vitest-environment jsdom
// The sanitiser needs a DOM that walks trees the way browsers do.
import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { renderPage } from "@/testing/render";
import { RichText, SafeHtml, sanitize } from ".";

const attacks: [string, string][] = [
  ["script", "<p>a</p><script>x()</script>"],
  ["handler", '<img src="x" onerror="x()">'],
  ["javascript link", '<a href="javascript:x()">a</a>'],
  ["frame", '<iframe src="https://x"></iframe>'],
  ["form", '<form action="https://x"><input name="a"></form>'],
  ["style", "<style>body{display:none}</style>"],
  ["svg", '<svg onload="x()"><script>x()</script></svg>'],
  ["object", '<object data="x"></object><embed src="x">'],
];
test.each(attacks)("%s does not survive", (_name, html) => {
  const clean = sanitize(html);
  expect(clean).not.toMatch(
    /script|onerror|onload|javascript:|iframe|<form|<input|<style|<object|<embed|x\(\)/i,
  );
});

test("ordinary content stays; links open elsewhere without a way back", () => {
  expect(sanitize("<h2>甲</h2><ul><li><strong>乙</strong></li></ul>")).toBe(
    "<h2>甲</h2><ul><li><strong>乙</strong></li></ul>",
  );
  render(<SafeHtml html='<a href="https://a.cn">a</a>' />);
  const link = screen.getByRole("link");
  expect(link.getAttribute("target")).toBe("_blank");
  expect(link.getAttribute("rel")).toBe("noopener noreferrer");
});

test("the editor has a Chinese toolbar, shows content and gives html", async () => {
  const change = vi.fn();
  renderPage(<RichText value="<p>论文</p>" onChange={change} />);
  screen.queryByRole("status", { name: "正在载入编辑器" });
  await screen.findByRole("toolbar", { name: "编辑工具栏" }, { timeout: 10_000 });
  for (const name of ["加粗", "斜体", "下划线", "项目符号", "链接", "撤销", "重做"]) {
    screen.getByRole("button", { name });
  }
  expect(screen.getByRole("textbox", { name: "正文" }).textContent).toBe("论文");
  fireEvent.click(screen.getByRole("button", { name: "项目符号" }));
  await waitFor(() => expect(change.mock.calls).toEqual([["<ul><li><p>论文</p></li></ul>"]]));
});
