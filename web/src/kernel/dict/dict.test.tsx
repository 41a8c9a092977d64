import { fireEvent, render, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { fillDicts } from "@/testing/render";
import { DictSelect, DictTag, dictLabel } from ".";

test("values are compared as strings", () => {
  fillDicts({ common_status: { 0: "开启", 1: "关闭" } });
  expect(dictLabel("common_status", 1)).toBe("关闭");
  expect(dictLabel("common_status", "1")).toBe("关闭");
  expect(dictLabel("common_status", null)).toBe("");
  expect(dictLabel("unknown", 1)).toBe("");
});

test("a tag shows the label, an unknown value itself, nothing nothing", () => {
  fillDicts({ common_status: { 0: "开启" } });
  render(
    <>
      <DictTag type="common_status" value={0} />
      <DictTag type="common_status" value={9} />
      <p data-testid="none">
        <DictTag type="common_status" value={null} />
      </p>
    </>,
  );
  screen.getByText("开启");
  screen.getByText("9");
  expect(screen.getByTestId("none").textContent).toBe("");
});

test.each([
  ["numbers of a numeric dictionary", { 0: "开启", 1: "关闭" }, 1],
  ["booleans of a boolean dictionary", { true: "是", false: "关闭" }, false],
  ["strings of any other", { a: "开启", b: "关闭" }, "b"],
])("the select gives %s", async (_name, values, given) => {
  fillDicts({ some: values as Record<string, string> });
  const change = vi.fn();
  render(<DictSelect type="some" aria-label="状态" onChange={change} />);
  fireEvent.mouseDown(screen.getByRole("combobox", { name: "状态" }));
  fireEvent.click(await screen.findByText("关闭"));
  expect(change).toHaveBeenCalledWith(given);
});
