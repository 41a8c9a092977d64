import { Button, Dropdown, type MenuProps } from "antd";
import { useNavigate } from "react-router";
import { type Language, setLanguage, useTranslation } from "@/kernel/i18n";
import { logout, useSession } from "@/kernel/session";
import { type Size, useDark, useSettings } from "@/kernel/theme";
import { confirmBox } from "@/kernel/ui";
import { useSidebar } from "../stores/sidebar";
import { languages } from "./Appearance";
import { sizes, useSizeSwitch } from "./SizeMenu";
import { UserAvatar } from "./UserAvatar";

type Entries = NonNullable<MenuProps["items"]>;

/** What a narrow navbar has no room for. */
function usePhoneEntries(): Entries {
  const { t } = useTranslation("layout");
  const mobile = useSidebar((state) => state.device === "mobile");
  const dark = useDark();
  if (!mobile) return [];
  return [
    {
      key: "size",
      label: t("size.label"),
      children: sizes.map(({ key, label }) => ({ key: `size:${key}`, label })),
    },
    {
      key: "language",
      label: t("language"),
      children: languages.map(({ key, label }) => ({ key: `language:${key}`, label })),
    },
    { key: dark ? "mode:light" : "mode:dark", label: t(dark ? "dark.leave" : "dark.enter") },
    { type: "divider" },
  ];
}

/** Personal centre, layout settings and the way out. */
export function UserMenu({ onSettings }: { onSettings: () => void }) {
  const { t } = useTranslation("layout");
  const navigate = useNavigate();
  const user = useSession((state) => state.user);
  const setMode = useSettings((state) => state.setMode);
  const [, changeSize] = useSizeSwitch();
  const phoneEntries = usePhoneEntries();
  const leave = async () => {
    if (await confirmBox({ title: t("logout.title"), content: t("logout.question") })) await logout();
  };
  const act = (key: string) => {
    const [kind, value] = key.split(":");
    if (kind === "profile") void navigate("/user/profile");
    else if (kind === "settings") onSettings();
    else if (kind === "logout") void leave();
    else if (kind === "size") changeSize(value as Size);
    else if (kind === "language") void setLanguage(value as Language);
    else if (kind === "mode") setMode(value === "dark" ? "dark" : "light");
  };
  const name = user?.nickname || user?.username || "";
  return (
    <Dropdown
      autoFocus
      trigger={["click"]}
      menu={{
        items: [
          { key: "profile", label: t("user.profile") },
          { key: "settings", label: t("user.settings") },
          { type: "divider" },
          ...phoneEntries,
          { key: "logout", label: t("user.logout") },
        ],
        onClick: ({ key }) => act(key),
      }}
    >
      <Button type="text" style={{ paddingInline: 6 }}>
        <span className="navbar-user" aria-hidden="true">
          <UserAvatar name={name} avatar={user?.avatar} />
          <span className="navbar-user-name">{name}</span>
        </span>
        <span className="shell-spoken">{t("user.menu", { name })}</span>
      </Button>
    </Dropdown>
  );
}
