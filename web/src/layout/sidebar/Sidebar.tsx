import { Drawer } from "antd";
import type { CSSProperties } from "react";
import { useTranslation } from "@/kernel/i18n";
import { useSettings } from "@/kernel/theme";
import type { AppRoute } from "../routes/types";
import { collapsedWidth, sidebarWidth, useSidebar } from "../stores/sidebar";
import { Logo } from "./Logo";
import { SideMenu, sidebarMenus } from "./SideMenu";
import { sideLook } from "./sideThemes";

/** The main menu: a column on wide screens, a drawer below 992 px. */
export function Sidebar({ menus }: { menus: readonly AppRoute[] }) {
  const { t } = useTranslation("layout");
  const mobile = useSidebar((state) => state.device === "mobile");
  const opened = useSidebar((state) => state.opened);
  const hidden = useSidebar((state) => state.hidden);
  const topChoice = useSidebar((state) => state.topChoice);
  const close = useSidebar((state) => state.close);
  const topNav = useSettings((state) => state.topNav) && !mobile;
  if (!mobile && topNav && hidden) return null;
  const shown = sidebarMenus(menus, topChoice, topNav);
  if (!mobile) return <SidebarBody menus={shown} collapsed={!opened} />;
  return (
    <Drawer
      placement="left"
      size={sidebarWidth}
      open={opened}
      onClose={close}
      closable={false}
      mask={{ closable: true }}
      aria-label={t("sidebar.label")}
      styles={{ body: { padding: 0, overflow: "hidden" } }}
    >
      <SidebarBody menus={shown} collapsed={false} onChosen={close} />
    </Drawer>
  );
}

interface BodyProps {
  menus: readonly AppRoute[];
  collapsed: boolean;
  onChosen?: () => void;
}

function SidebarBody({ menus, collapsed, onChosen }: BodyProps) {
  const { t } = useTranslation("layout");
  const look = sideLook(useSettings((state) => state.sideTheme));
  const withLogo = useSettings((state) => state.sidebarLogo);
  const colours = {
    "--side-bg": look.background,
    "--side-text": look.text,
    width: collapsed ? collapsedWidth : sidebarWidth,
  } as CSSProperties;
  return (
    <nav
      id="shell-sidebar"
      className={look.edge ? "sidebar has-edge" : "sidebar"}
      style={colours}
      aria-label={t("sidebar.label")}
    >
      {withLogo && <Logo collapsed={collapsed} />}
      <div className="sidebar-menu">
        <SideMenu menus={menus} collapsed={collapsed} onChosen={onChosen} />
      </div>
    </nav>
  );
}
