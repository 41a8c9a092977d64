import { fireEvent, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, test, vi } from "vitest";
import { renderPage } from "@/testing/render";
import { LockedButton } from ".";

describe("a locked button", () => {
  test("keeps the focus, names its reason and does nothing", async () => {
    const act = vi.fn();
    renderPage(
      <LockedButton type="primary" reason="窗口未开放" onClick={act}>
        提交
      </LockedButton>,
    );
    const button = await screen.findByRole("button", { name: "提交" });
    button.focus();
    expect(document.activeElement).toBe(button);
    fireEvent.click(button);
    expect(act).not.toHaveBeenCalled();
    expect(document.getElementById(button.getAttribute("aria-describedby") ?? "")?.textContent).toBe(
      "窗口未开放",
    );
  });

  test("sends no form", async () => {
    const sent = vi.fn((event: Event) => event.preventDefault());
    renderPage(
      <form onSubmit={(event) => sent(event.nativeEvent)}>
        <LockedButton htmlType="submit" reason="窗口未开放">
          提交
        </LockedButton>
      </form>,
    );
    fireEvent.click(await screen.findByRole("button", { name: "提交" }));
    expect(sent).not.toHaveBeenCalled();
  });

  test("without a reason it is a button", async () => {
    const act = vi.fn();
    renderPage(
      <LockedButton reason="" onClick={act}>
        提交
      </LockedButton>,
    );
    fireEvent.click(await screen.findByRole("button", { name: "提交" }));
    expect(act).toHaveBeenCalledOnce();
  });
});

describe("in a row", () => {
  const act = vi.fn();
  const row = (reason: string) => (
    <LockedButton compact type="link" danger reason={reason} aria-label="删除 讲师" onClick={act}>
      删除
    </LockedButton>
  );

  test("the reason is in the name, shows when it has the focus, and when it is pressed", async () => {
    renderPage(row("请先移走人员"));
    const button = await screen.findByRole("button", { name: "删除 讲师（请先移走人员）" });
    expect(button).toHaveProperty("disabled", false);
    expect(button.getAttribute("aria-disabled")).toBe("true");
    await userEvent.tab();
    expect(document.activeElement).toBe(button);
    expect((await screen.findByRole("tooltip")).textContent).toBe("请先移走人员");
    fireEvent.click(button);
    await vi.waitFor(() => expect(screen.getAllByText("请先移走人员")).toHaveLength(2));
    expect(act).not.toHaveBeenCalled();
  });

  test("without a reason it acts", async () => {
    renderPage(row(""));
    fireEvent.click(await screen.findByRole("button", { name: "删除 讲师" }));
    expect(act).toHaveBeenCalledOnce();
  });
});
