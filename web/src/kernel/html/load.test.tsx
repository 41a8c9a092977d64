import { fireEvent, screen } from "@testing-library/react";
import { test, vi } from "vitest";
import { renderPage } from "@/testing/render";
import { RichText } from "./RichText";

const loads = vi.hoisted(() => ({ broken: true }));

vi.mock("./RichTextEditor", () => ({
  get RichTextEditor() {
    if (loads.broken) throw new Error("Failed to fetch dynamically imported module");
    return () => <p>ready</p>;
  },
}));

test("an editor that cannot be fetched shows the error and a retry", async () => {
  renderPage(<RichText />);
  await screen.findByText("编辑器未能载入");
  loads.broken = false;
  fireEvent.click(screen.getByRole("button", { name: "重试" }));
  await screen.findByText("ready");
});
