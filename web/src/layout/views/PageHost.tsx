import { Spin } from "antd";
import { useTranslation } from "@/kernel/i18n";
import { ErrorState, NotOpenYet } from "@/kernel/ui";
import { useShell } from "../context";
import type { PageLoader } from "../routes/types";
import { findPage, useLoadedPage } from "./pageLoader";

/** The page of a component key; a key nobody claims shows that the page is not open yet. */
export function PageHost({ component }: { component: string | null }) {
  const { pages } = useShell();
  const loader = findPage(pages, component);
  return loader ? <LoadedPage loader={loader} /> : <NotOpenYet />;
}

function LoadedPage({ loader }: { loader: PageLoader }) {
  const { t } = useTranslation("layout");
  const [state, retry] = useLoadedPage(loader);
  if (state.status === "ready") return <state.Page />;
  if (state.status === "loading") {
    return (
      <div className="shell-wait">
        <output aria-label={t("view.loading")}>
          <Spin delay={200} />
        </output>
      </div>
    );
  }
  return <ErrorState title={t("view.failedTitle")} hint={t("view.failedHint")} onRetry={retry} />;
}
