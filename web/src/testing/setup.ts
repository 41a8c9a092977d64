import { cleanup, configure } from "@testing-library/react";
import { afterAll, afterEach, beforeAll, vi } from "vitest";
import { i18n, startI18n } from "@/kernel/i18n";
import { useFeedbackQueue } from "@/kernel/ui/feedback";
import { loadTestLocale, localeFiles } from "./locales";
import { server } from "./server";

// A busy machine is slow, not wrong.
configure({ asyncUtilTimeout: 10_000 });

// happy-dom lays nothing out: antd only needs these to exist.
Element.prototype.scrollIntoView = () => {};
// jsdom, used by tests that ask for it, lacks these two altogether.
window.matchMedia ??= ((query: string) => ({
  matches: false,
  media: query,
  addEventListener() {},
  removeEventListener() {},
})) as unknown as typeof window.matchMedia;
window.ResizeObserver ??= class {
  observe() {}
  unobserve() {}
  disconnect() {}
};

Range.prototype.getClientRects ??= () => [] as unknown as DOMRectList;
Range.prototype.getBoundingClientRect ??= () => new DOMRect();

beforeAll(async () => {
  server.listen({ onUnhandledRequest: "error" });
  if (!i18n.isInitialized) await startI18n(loadTestLocale, "zh-CN");
  for (const { namespace, language, texts } of localeFiles) {
    i18n.addResourceBundle(language, namespace, texts, true, true);
  }
});

afterEach(() => {
  cleanup();
  server.resetHandlers();
  localStorage.clear();
  sessionStorage.clear();
  useFeedbackQueue.getState().take();
  vi.useRealTimers();
});

afterAll(() => server.close());
