import { act, fireEvent, render, screen, within } from "@testing-library/react";
import { useState } from "react";
import { describe, expect, test, vi } from "vitest";
import { renderPage } from "@/testing/render";
import {
  alertBox,
  confirmBox,
  DebouncedButton,
  ErrorBoundary,
  hasUnsaved,
  isChunkError,
  LinkedText,
  NotOpenYet,
  Pagination,
  pageAfterResize,
  pageSizeOf,
  TimeText,
  toast,
  useUnsaved,
} from ".";
import { pagerItems } from "./pagerItems";

describe("linked text", () => {
  test("only addresses of this application are links", () => {
    const text =
      "通过/退回，见 /thesis/record/list?id=7&tab=a。https://evil.example/a/b 和 //evil.example/a/b、/one";
    renderPage(<LinkedText text={text} />);
    const links = screen.getAllByRole("link", { name: "打开页面" });
    expect(links.map((link) => link.getAttribute("href"))).toEqual(["/thesis/record/list?id=7&tab=a"]);
    expect(document.body.textContent).toContain("https://evil.example/a/b 和 //evil.example/a/b、/one");
  });

  test("inside a button only its words stand", () => {
    renderPage(<LinkedText plain text="查看：/bpm/process-instance/detail?id=1" />);
    expect(screen.queryByRole("link")).toBeNull();
    expect(document.body.textContent).toContain("查看：打开页面");
  });
});

describe("pagination", () => {
  test("a new size goes to page 1 when page times size exceeds the total", () => {
    expect(pageAfterResize(3, 50, 100)).toBe(1);
    expect(pageAfterResize(2, 50, 100)).toBe(2);
    expect(pageAfterResize(1, 500, 45)).toBe(1);
  });

  test("an address may ask for the sizes there are", () => {
    expect(["10", "500", "15", "-20", "x", null].map(pageSizeOf)).toEqual([10, 500, 20, 20, 20, 20]);
  });

  test("shows total, sizes, previous, pages, next and jumper in this order", async () => {
    renderPage(<Pagination pageNo={3} pageSize={20} total={45} onChange={() => {}} />);
    const pager = await screen.findByRole("navigation", { name: "分页" });
    const parts = [
      within(pager).getByText("共 45 条"),
      within(pager).getByRole("combobox", { name: "每页条数" }),
      ...within(pager).getAllByRole("button"),
      within(pager).getByRole("textbox", { name: "前往页码" }),
    ];
    for (const [i, part] of parts.slice(1).entries()) {
      expect(parts[i]?.compareDocumentPosition(part)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
    }
    expect(parts.slice(2, -1).map((button) => button.getAttribute("aria-label"))).toEqual([
      "上一页",
      "第 1 页",
      "第 2 页",
      "第 3 页",
      "下一页",
    ]);
    expect(screen.getByRole("button", { current: "page" }).textContent).toBe("3");
    expect(screen.getByRole("button", { name: "下一页" })).toHaveProperty("disabled", true);
  });

  test("one page has its jumper too", async () => {
    const change = vi.fn();
    renderPage(<Pagination pageNo={1} pageSize={20} total={3} onChange={change} />);
    const box = await screen.findByRole("textbox", { name: "前往页码" });
    fireEvent.change(box, { target: { value: "9" } });
    fireEvent.keyDown(box, { key: "Enter", keyCode: 13 });
    expect(change).not.toHaveBeenCalled();
    expect(box).toHaveProperty("value", "1");
  });

  test("the jumper goes to the page typed, at most to the last, and puts back what is no number", async () => {
    const change = vi.fn();
    renderPage(<Pagination pageNo={2} pageSize={20} total={1234} onChange={change} />);
    const box = await screen.findByRole("textbox", { name: "前往页码" });
    fireEvent.change(box, { target: { value: "99" } });
    fireEvent.keyDown(box, { key: "Enter", keyCode: 13 });
    expect(change).toHaveBeenLastCalledWith(62, 20);
    fireEvent.change(box, { target: { value: "7" } });
    fireEvent.blur(box);
    expect(change).toHaveBeenLastCalledWith(7, 20);
    fireEvent.change(box, { target: { value: "x" } });
    fireEvent.blur(box);
    expect(box).toHaveProperty("value", "2");
    expect(change).toHaveBeenCalledTimes(2);
  });

  const rows: [number, number, number, string][] = [
    [1, 1, 7, "1"],
    [4, 7, 7, "1 2 3 4 5 6 7"],
    [1, 8, 7, "1 2 3 4 5 6 forth 8"],
    [4, 100, 7, "1 2 3 4 5 6 forth 100"],
    [5, 100, 7, "1 back 3 4 5 6 7 forth 100"],
    [97, 100, 7, "1 back 95 96 97 98 99 100"],
    [100, 100, 7, "1 back 95 96 97 98 99 100"],
    [5, 5, 5, "1 2 3 4 5"],
    [1, 6, 5, "1 2 3 4 forth 6"],
    [4, 9, 5, "1 back 3 4 5 forth 9"],
    [9, 9, 5, "1 back 6 7 8 9"],
  ];
  test.each(rows)("page %d of %d with %d numbers: %s", (current, pages, count, shown) => {
    expect(pagerItems(current, pages, count).join(" ")).toBe(shown);
  });

  test("there are always as many numbers as asked for, the present one among them", () => {
    for (const count of [5, 7]) {
      for (let pages = 1; pages <= 30; pages++) {
        for (let current = 1; current <= pages; current++) {
          const numbers = pagerItems(current, pages, count).filter((item) => typeof item === "number");
          expect(numbers).toHaveLength(Math.min(pages, count));
          expect(numbers).toContain(current);
        }
      }
    }
  });

  test.each([
    [false, 7, "向后 5 页", 6],
    [true, 5, "向后 3 页", 4],
  ])("narrow screen %s: %d numbers, and a gap leads further", async (narrow, count, gap, page) => {
    vi.stubGlobal("matchMedia", (media: string) => ({
      matches: narrow && media.includes("max-width"),
      media,
      addEventListener() {},
      removeEventListener() {},
    }));
    const change = vi.fn();
    renderPage(<Pagination pageNo={1} pageSize={20} total={1234} onChange={change} />);
    await screen.findByText("共 1,234 条");
    expect(screen.getAllByRole("button", { name: /^第 \d+ 页$/ })).toHaveLength(count);
    fireEvent.click(screen.getByRole("button", { name: gap }));
    expect(change).toHaveBeenCalledWith(page, 20);
    vi.unstubAllGlobals();
  });

  test("offers the sizes and the pages", async () => {
    const change = vi.fn();
    renderPage(<Pagination pageNo={2} pageSize={20} total={1234} onChange={change} />);
    await screen.findByText("共 1,234 条");
    fireEvent.mouseDown(screen.getByRole("combobox"));
    const sizes = [...document.querySelectorAll(".ant-select-item-option-content")].map(
      (item) => item.textContent,
    );
    expect(sizes.map((text) => Number.parseInt(text ?? "", 10))).toEqual([10, 20, 50, 100, 500]);
    fireEvent.click(screen.getByRole("button", { name: "第 3 页" }));
    expect(change).toHaveBeenCalledWith(3, 20);
  });

  test("a capped total says so", async () => {
    renderPage(<Pagination pageNo={1} pageSize={20} total={10000} capped onChange={() => {}} />);
    await screen.findByText("超过 10,000 条");
  });
});

test("a debounced button rests for 2000 ms after a click", () => {
  vi.useFakeTimers();
  const click = vi.fn();
  render(<DebouncedButton onClick={click}>保存</DebouncedButton>);
  const button = screen.getByRole("button");
  fireEvent.click(button);
  fireEvent.click(button);
  act(() => vi.advanceTimersByTime(1999));
  fireEvent.click(button);
  expect(click).toHaveBeenCalledOnce();
  act(() => vi.advanceTimersByTime(1));
  fireEvent.click(button);
  expect(click).toHaveBeenCalledTimes(2);
});

test("near times are words that grow older by themselves", () => {
  vi.useFakeTimers();
  render(<TimeText value={Date.now()} relative />);
  screen.getByText("刚刚");
  act(() => vi.advanceTimersByTime(3 * 60_000));
  screen.getByText("3分钟前");
});

describe("messages", () => {
  test("toasts, an alert and a question are drawn in order", async () => {
    renderPage(<p>page</p>);
    await screen.findByText("page");
    act(() => toast.success("已保存"));
    await screen.findByText("已保存");
    const closed = vi.fn();
    act(() => void alertBox("请注意", "warning").then(closed));
    await screen.findByText("请注意");
    screen.getByText("系统提示", { selector: ".ant-modal-confirm-title" });
    fireEvent.click(screen.getByRole("button", { name: "确定" }));
    await vi.waitFor(() => expect(closed).toHaveBeenCalled());
  });

  test("what stays until it is closed can be closed", async () => {
    renderPage(<p>page</p>);
    await screen.findByText("page");
    vi.useFakeTimers({ shouldAdvanceTime: true });
    act(() => {
      toast.error("演示模式", 0);
      toast.success("已保存");
    });
    const note = (await screen.findByText("演示模式")).closest('[role="alert"]') as HTMLElement;
    await screen.findByText("已保存");
    await act(() => vi.advanceTimersByTimeAsync(60_000));
    await vi.waitFor(() => expect(screen.queryByText("已保存")).toBeNull());
    screen.getByText("演示模式");
    fireEvent.click(within(note).getByRole("button"));
    await vi.waitFor(() => expect(screen.queryByText("演示模式")).toBeNull());
  });

  test("a question resolves to the answer and cannot be closed by clicking outside", async () => {
    renderPage(<p>page</p>);
    await screen.findByText("page");
    const answers: boolean[] = [];
    act(() => void confirmBox("确认删除吗？").then((ok) => answers.push(ok)));
    await screen.findByText("确认删除吗？");
    fireEvent.click(document.querySelector(".ant-modal-wrap") as Element);
    expect(answers).toEqual([]);
    fireEvent.click(screen.getByRole("button", { name: "取消" }));
    await vi.waitFor(() => expect(answers).toEqual([false]));
    act(() => void confirmBox({ content: "再问一次？", okText: "删除" }).then((ok) => answers.push(ok)));
    fireEvent.click(await screen.findByRole("button", { name: "删除" }));
    await vi.waitFor(() => expect(answers).toEqual([false, true]));
  });
});

describe("failures", () => {
  function Bomb({ armed }: { armed: boolean }) {
    if (armed) throw new Error("boom");
    return <p>fine</p>;
  }

  test("stay inside their part and can be retried", () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    function Page() {
      const [armed, setArmed] = useState(true);
      return (
        <>
          <button type="button" onClick={() => setArmed(false)}>
            mend
          </button>
          <ErrorBoundary>
            <Bomb armed={armed} />
          </ErrorBoundary>
        </>
      );
    }
    render(<Page />);
    screen.getByText("页面出现错误");
    fireEvent.click(screen.getByText("mend"));
    fireEvent.click(screen.getByRole("button", { name: "重试" }));
    screen.getByText("fine");
  });

  test("code that could not be fetched is told apart", () => {
    expect(isChunkError(new TypeError("Failed to fetch dynamically imported module: http://a/b.js"))).toBe(
      true,
    );
    expect(isChunkError(new Error("boom"))).toBe(false);
  });
});

test("unsaved changes are known by page and hold the window", async () => {
  function Form() {
    const [dirty, setDirty] = useState(false);
    useUnsaved(dirty);
    return (
      <button type="button" onClick={() => setDirty(!dirty)}>
        type
      </button>
    );
  }
  renderPage(<Form />, "/system/post");
  fireEvent.click(await screen.findByText("type"));
  expect(hasUnsaved("/system/post")).toBe(true);
  expect(hasUnsaved("/system/user")).toBe(false);
  const leaving = new Event("beforeunload", { cancelable: true });
  window.dispatchEvent(leaving);
  expect(leaving.defaultPrevented).toBe(true);
  fireEvent.click(screen.getByText("type"));
  expect(hasUnsaved()).toBe(false);
});

test("a page that is not built yet says so and leads home", async () => {
  const { router } = renderPage(<NotOpenYet />, "/x");
  await screen.findByRole("heading", { name: "该页面尚未开放" });
  fireEvent.click(screen.getByRole("button", { name: "回到首页" }));
  expect(router.state.location.pathname).toBe("/");
});
