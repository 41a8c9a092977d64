import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render } from "@testing-library/react";
import { ConfigProvider } from "antd";
import zhCN from "antd/locale/zh_CN";
import { type ReactNode, Suspense } from "react";
import { createMemoryRouter, RouterProvider } from "react-router";
import { useDictStore } from "@/kernel/dict/store";
import { useSession } from "@/kernel/session/store";
import type { PermissionInfo } from "@/kernel/session/types";
import { ThemeProvider } from "@/kernel/theme";
import FeedbackHost from "@/kernel/ui/FeedbackHost";

/** Renders a page at an address with everything a page has around it. */
export function renderPage(page: ReactNode, address = "/") {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const router = createMemoryRouter([{ path: "*", element: page }], { initialEntries: [address] });
  const view = render(
    <QueryClientProvider client={client}>
      <ThemeProvider locale={zhCN}>
        {/* Without motion what closes is gone at once. */}
        <ConfigProvider theme={{ token: { motion: false } }}>
          <Suspense fallback={null}>
            <RouterProvider router={router} />
          </Suspense>
          <FeedbackHost />
        </ConfigProvider>
      </ThemeProvider>
    </QueryClientProvider>,
  );
  return { ...view, router, client };
}

/** Signs somebody in without a server. */
export function signInAs(part: Partial<PermissionInfo> = {}): void {
  localStorage.setItem("ACCESS_TOKEN", "token-1");
  useSession.getState().apply({
    user: { id: 1, username: "admin", nickname: "管理员", type: 2 },
    roles: ["staff"],
    permissions: ["*:*:*"],
    menus: [],
    ...part,
  });
}

/** Fills dictionaries: {common_status: {0: "开启"}}. */
export function fillDicts(dicts: Record<string, Record<string, string>>): void {
  const byType = Object.fromEntries(
    Object.entries(dicts).map(([dictType, values]) => [
      dictType,
      Object.entries(values).map(([value, label]) => ({ dictType, value, label })),
    ]),
  );
  useDictStore.setState({ loaded: true, byType });
}
