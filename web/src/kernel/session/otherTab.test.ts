import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { SESSION_LOST } from "@/kernel/api/relogin";
import { signInAs } from "@/testing/render";
import { api, failure, http, ok, server } from "@/testing/server";
import { watchOtherTabs } from "./otherTab";
import { useSession } from "./store";

let asked = 0;
let stop = () => {};
const reload = vi.fn();
const lost = vi.fn();

/** What the browser tells this tab when another one writes. */
function written(key: string | null, value: string | null, storageArea = localStorage): void {
  if (key && value) storageArea.setItem(key, value);
  else if (key) storageArea.removeItem(key);
  else storageArea.clear();
  window.dispatchEvent(new StorageEvent("storage", { key, newValue: value, storageArea }));
}

function serve(answer: () => Response): void {
  server.use(
    http.get(api("/system/auth/get-permission-info"), () => {
      asked += 1;
      return answer();
    }),
  );
}

const person = (id: number) => () => ok({ user: { id, type: 2 }, roles: [], permissions: [], menus: [] });
const quiet = () => new Promise((done) => setTimeout(done, 200));

beforeEach(() => {
  asked = 0;
  reload.mockReset();
  lost.mockReset();
  signInAs();
  stop = watchOtherTabs(reload);
  window.addEventListener(SESSION_LOST, lost);
});

afterEach(() => {
  stop();
  window.removeEventListener(SESSION_LOST, lost);
});

describe("another tab", () => {
  test("signing in as somebody else loads this one anew, once, and forms keep what was typed", async () => {
    serve(person(2));
    written("TENANT_ID", "7");
    written("ACCESS_TOKEN", "token-2");
    await vi.waitFor(() => expect(reload).toHaveBeenCalledOnce());
    expect(lost).toHaveBeenCalledOnce();
    expect(asked).toBe(1);
  });

  test.each([
    ["signing out", "ACCESS_TOKEN"],
    ["clearing the storage", null],
  ])("%s loads this one anew without asking the server", async (_name, key) => {
    serve(person(1));
    written(key, null);
    await vi.waitFor(() => expect(reload).toHaveBeenCalledOnce());
    expect(asked).toBe(0);
  });

  test("renewing the token of the same person keeps everything", async () => {
    serve(person(1));
    const before = useSession.getState();
    written("ACCESS_TOKEN", "token-1b");
    await vi.waitFor(() => expect(asked).toBe(1));
    await quiet();
    expect(reload).not.toHaveBeenCalled();
    expect(lost).not.toHaveBeenCalled();
    expect(useSession.getState()).toBe(before);
  });

  test("an answer that does not come decides nothing", async () => {
    serve(() => failure(500));
    written("ACCESS_TOKEN", "token-2");
    await vi.waitFor(() => expect(asked).toBe(1));
    await quiet();
    expect(reload).not.toHaveBeenCalled();
  });

  test("other items, other storages, and a tab where nobody is signed in are left alone", async () => {
    serve(person(2));
    written("language", "en");
    written("ACCESS_TOKEN", "x", sessionStorage);
    await quiet();
    useSession.getState().clear();
    written("ACCESS_TOKEN", "token-2");
    await quiet();
    expect(asked).toBe(0);
    expect(reload).not.toHaveBeenCalled();
  });

  test("is not watched any more after the shell is gone", async () => {
    stop();
    written("ACCESS_TOKEN", null);
    await quiet();
    expect(reload).not.toHaveBeenCalled();
  });
});
