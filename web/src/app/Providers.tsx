import { type QueryClient, QueryClientProvider } from "@tanstack/react-query";
import zhCN from "antd/locale/zh_CN";
import dayjs from "dayjs";
import "dayjs/locale/zh-cn";
import { type ReactNode, useEffect, useState } from "react";
import { useTranslation } from "@/kernel/i18n";
import { ThemeProvider } from "@/kernel/theme";
import { FeedbackRoot } from "@/kernel/ui/FeedbackRoot";
import { useLanguageReload } from "./useLanguageReload";

type AntdLocale = typeof zhCN;

interface Props {
  client: QueryClient;
  children: ReactNode;
}

/** Server state, theme and language around every page. */
export function Providers({ client, children }: Props) {
  const { i18n } = useTranslation("kernel");
  const english = i18n.language === "en";
  const [en, setEn] = useState<AntdLocale | null>(null);
  useLanguageReload(client);
  useEffect(() => {
    dayjs.locale(english ? "en" : "zh-cn");
    if (english) void import("antd/locale/en_US").then((module) => setEn(module.default));
  }, [english]);
  return (
    <QueryClientProvider client={client}>
      <ThemeProvider locale={english && en ? en : zhCN}>
        {children}
        <FeedbackRoot />
      </ThemeProvider>
    </QueryClientProvider>
  );
}
