import { MenuFoldOutlined, MenuUnfoldOutlined } from "@ant-design/icons";
import { Flex } from "antd";
import { useState } from "react";
import { useTranslation } from "@/kernel/i18n";
import { useSettings } from "@/kernel/theme";
import type { AppRoute } from "../routes/types";
import { SettingsDrawer } from "../settings/SettingsDrawer";
import { useSidebar } from "../stores/sidebar";
import { DarkToggle, LanguageMenu } from "./Appearance";
import { FullscreenToggle } from "./FullscreenToggle";
import { NavButton } from "./NavButton";
import { NoticePopover } from "./NoticePopover";
import { RouteSearch } from "./RouteSearch";
import { SizeMenu } from "./SizeMenu";
import { TopMenu } from "./TopMenu";
import { Trail } from "./Trail";
import { UserMenu } from "./UserMenu";

/** The bar at the top: where one is, and what concerns the user rather than the page. */
export function Navbar({ menus }: { menus: readonly AppRoute[] }) {
  const mobile = useSidebar((state) => state.device === "mobile");
  const topNav = useSettings((state) => state.topNav) && !mobile;
  const [settingsOpen, setSettingsOpen] = useState(false);
  return (
    <Flex className="navbar">
      <Hamburger />
      <div className="navbar-place">{topNav ? <TopMenu menus={menus} /> : <Trail short={mobile} />}</div>
      <div className="navbar-acts">
        <RouteSearch />
        {!mobile && <FullscreenToggle />}
        {!mobile && <SizeMenu />}
        <NoticePopover />
        {!mobile && <LanguageMenu />}
        {!mobile && <DarkToggle />}
        <UserMenu onSettings={() => setSettingsOpen(true)} />
      </div>
      <SettingsDrawer open={settingsOpen} onClose={() => setSettingsOpen(false)} />
    </Flex>
  );
}

/** Folds the sidebar; without a sidebar to fold it does nothing and says so. */
function Hamburger() {
  const { t } = useTranslation("layout");
  const opened = useSidebar((state) => state.opened);
  const hidden = useSidebar((state) => state.hidden);
  const toggle = useSidebar((state) => state.toggle);
  const label = t(hidden ? "sidebar.nothing" : opened ? "sidebar.fold" : "sidebar.unfold");
  return (
    <NavButton
      label={label}
      aria-expanded={opened && !hidden}
      aria-disabled={hidden}
      icon={opened && !hidden ? <MenuFoldOutlined /> : <MenuUnfoldOutlined />}
      onClick={toggle}
    />
  );
}
