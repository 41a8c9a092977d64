import { configure, fireEvent, screen, waitFor } from "@testing-library/react";
import axe from "axe-core";
import type { ComponentType } from "react";
import { describe, expect, test } from "vitest";
import { renderPage, signInAs } from "./render";
import { api, failure, http, ok, server } from "./server";

// Pages load in several steps; a busy machine needs more than the usual second.
configure({ asyncUtilTimeout: 8000 });

/** A list page and what it is known by. */
export interface ListPageCase {
  name: string;
  Page: ComponentType;
  /** The list call, and whether it answers a page or the whole list. */
  path: string;
  whole?: boolean;
  row: object;
  /** A text of the row. */
  shows: string;
  /** The permission to look, and the buttons that further ones bring. */
  query: string;
  buttons: (string | RegExp)[];
  forbidden: string;
  empty: string;
}

function serve(one: ListPageCase, rows: object[]): void {
  server.use(http.get(api(one.path), () => ok(one.whole ? rows : { list: rows, total: rows.length })));
}

/** Declares what every list page promises: rows, permissions, refusal, empty and failed states. */
export function describeListPages(cases: readonly ListPageCase[]): void {
  describe.each(cases)("the page of $name", (one) => {
    test("shows its rows and is accessible", async () => {
      serve(one, [one.row]);
      const { container } = renderPage(<one.Page />);
      await screen.findAllByText(one.shows);
      for (const name of one.buttons) screen.getByRole("button", { name });
      // Widgets of the filters that are still being fetched hold their place.
      await waitFor(() => expect(container.querySelector(".viva-search input:disabled")).toBeNull());
      expect(await seriousFaults(container)).toEqual([]);
    });

    test("a permission removed hides its button", async () => {
      signInAs({ permissions: [one.query] });
      serve(one, [one.row]);
      renderPage(<one.Page />);
      await screen.findAllByText(one.shows);
      for (const name of one.buttons) expect(screen.queryByRole("button", { name }), String(name)).toBeNull();
      expect(screen.queryByRole("switch")).toBeNull();
    });

    test("without the permission to look it says so and asks nothing", async () => {
      signInAs({ permissions: ["other:thing:query"] });
      renderPage(<one.Page />);
      await screen.findByText(one.forbidden);
      screen.getByText(new RegExp(one.query));
    });

    test("empty and failed lists say what to do", async () => {
      serve(one, []);
      const first = renderPage(<one.Page />);
      await screen.findByText(one.empty);
      first.unmount();
      server.use(http.get(api(one.path), () => failure(500, "系统异常，编号 7")));
      renderPage(<one.Page />);
      await screen.findByText("系统异常，编号 7");
      serve(one, [one.row]);
      fireEvent.click(screen.getByRole("button", { name: "重试" }));
      await screen.findAllByText(one.shows);
    });
  });
}

/** What axe finds serious or critical, as lines; colours need a real browser. */
async function seriousFaults(container: Element): Promise<string[]> {
  const { violations } = await axe.run(container, {
    rules: { "color-contrast": { enabled: false }, region: { enabled: false } },
  });
  const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
  return serious.map((item) => `${item.id}: ${item.nodes.map((node) => node.html).join(" ")}`);
}
