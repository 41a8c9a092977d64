import { Link } from "react-router";
import { homePath } from "../routes/types";
import { useSystemConfig, useSystemTitle } from "../systemTitle";
import { Mark } from "./Mark";

export function Logo({ collapsed }: { collapsed: boolean }) {
  const config = useSystemConfig();
  const title = useSystemTitle();
  return (
    <Link to={homePath} className="sidebar-logo" aria-label={title}>
      {config?.url ? <img src={config.url} alt="" /> : <Mark />}
      {!collapsed && <span>{title}</span>}
    </Link>
  );
}
