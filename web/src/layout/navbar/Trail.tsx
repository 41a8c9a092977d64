import { Breadcrumb } from "antd";
import { Link } from "react-router";
import { useTranslation } from "@/kernel/i18n";
import { useShell } from "../context";
import { breadcrumbTrail } from "../routes/breadcrumb";
import { firstPage, isFolder } from "../routes/resolve";
import type { AppRoute } from "../routes/types";
import { useRouteTitle } from "../useRouteTitle";

/** Where the shown page stands; on narrow screens the page's name alone. */
export function Trail({ short }: { short: boolean }) {
  const { t } = useTranslation("layout");
  const { routes, match } = useShell();
  const titleOf = useRouteTitle();
  const trail = breadcrumbTrail(routes, match);
  const shown = short ? trail.slice(-1) : trail;
  return (
    <nav aria-label={t("breadcrumb")}>
      <Breadcrumb
        items={shown.map((entry, index) => ({
          key: entry.path,
          title: <TrailEntry route={entry} title={titleOf(entry)} last={index === shown.length - 1} />,
        }))}
      />
    </nav>
  );
}

function TrailEntry({ route, title, last }: { route: AppRoute; title: string; last: boolean }) {
  if (last) return <span aria-current="page">{title}</span>;
  const target = isFolder(route) ? firstPage(route) : route;
  return target ? <Link to={target.path}>{title}</Link> : <span>{title}</span>;
}
