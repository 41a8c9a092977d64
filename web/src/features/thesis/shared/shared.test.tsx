import { screen, within } from "@testing-library/react";
import { beforeEach, describe, expect, test } from "vitest";
import { fillDicts, renderPage, signInAs } from "@/testing/render";
import { DueText, WaitingText } from "./DueText";
import { DAY, dicts, guard, history, NOW, stepView } from "./fixture";
import { firstOpen, Guards } from "./Guards";
import { lengthOf } from "./length";
import { StepBar } from "./StepBar";
import { Timeline } from "./Timeline";
import { Status, stepCodes } from "./wire";

beforeEach(() => {
  signInAs();
  fillDicts(dicts);
});

describe("conditions", () => {
  const list = [
    guard("A"),
    guard("B", false, "尚未分配导师", "/here"),
    guard("C", false, "尚未认证", "/user/profile"),
  ];

  test("count what is met and lead elsewhere, never to the page itself", async () => {
    renderPage(<Guards guards={list} here="/here" />);
    await screen.findByText("已满足 1 / 3");
    expect(screen.getAllByRole("link").map((link) => link.getAttribute("href"))).toEqual(["/user/profile"]);
    expect(screen.getAllByRole("img", { name: "未满足" })).toHaveLength(2);
  });

  test("the first open one is the reason", () => {
    expect(firstOpen(list)).toBe("尚未分配导师");
    expect(firstOpen([guard("A")])).toBe("");
  });
});

test("history is newest first; only verdicts carry their level", async () => {
  renderPage(
    <Timeline
      entries={[
        history("submit", "提交", { time: NOW - 3 * DAY, actorName: "林小满", level: 1 }),
        history("returnTask", "退回修改", { time: NOW - 2 * DAY, reason: "请缩小范围" }),
        history("withdraw", "撤回", { time: NOW - DAY, actorName: "林小满", level: 1 }),
      ]}
    />,
  );
  const lines = await screen.findAllByRole("listitem");
  expect(lines.map((line) => line.querySelector("strong")?.textContent)).toEqual([
    "撤回",
    "退回修改",
    "提交",
  ]);
  expect(within(lines[1] as HTMLElement).getByText("导师").textContent).toBe("导师");
  expect(within(lines[0] as HTMLElement).queryByText("导师")).toBeNull();
  expect(lines[1]?.className).toBe("is-bad");
  within(lines[1] as HTMLElement).getByText("请缩小范围");
});

test("an empty history says so", async () => {
  renderPage(<Timeline entries={[]} />);
  await screen.findByText("还没有办理记录");
});

test("the step bar marks every mood and says the place in words", async () => {
  const moods: Record<number, number> = {
    10: Status.Passed,
    20: Status.Returned,
    30: Status.InApproval,
    40: Status.Draft,
    50: Status.Waived,
  };
  renderPage(
    <StepBar
      current={20}
      steps={stepCodes.map((code) => stepView(code, { status: moods[code] ?? Status.Locked }))}
    />,
  );
  await screen.findByText("第 2 / 11 步：选题");
  const items = screen.getAllByRole("listitem").map((item) => item.className);
  expect(items.slice(0, 6)).toEqual([
    "is-done",
    "is-bad is-here",
    "is-wait",
    "is-now",
    "is-done",
    "is-locked",
  ]);
});

test("deadlines and waiting in words", async () => {
  renderPage(
    <>
      <DueText dueAt={0} now={NOW} />
      <DueText dueAt={NOW - 2 * DAY} now={NOW} />
      <WaitingText since={NOW - 8 * DAY} now={NOW} />
      <WaitingText since={0} now={NOW} />
    </>,
  );
  await screen.findByText("未设置截止时间");
  screen.getByText("已过 2 天");
  expect(screen.getByText("已等待 8 天").className).toContain("is-over");
});

test("characters are counted as the server counts them", () => {
  expect(lengthOf("  题目  ")).toBe(2);
  expect(lengthOf("𠮷野家")).toBe(3);
  expect(lengthOf(undefined)).toBe(0);
});
