import { MoonOutlined, SunOutlined, TranslationOutlined } from "@ant-design/icons";
import { Dropdown } from "antd";
import { type Language, setLanguage, useTranslation } from "@/kernel/i18n";
import { useDark, useSettings } from "@/kernel/theme";
import { NavButton } from "./NavButton";

/** Languages by their own names, which are never translated. */
export const languages: readonly { key: Language; label: string }[] = [
  { key: "zh-CN", label: "简体中文" },
  { key: "en", label: "English" },
];

export function LanguageMenu() {
  const { t, i18n } = useTranslation("layout");
  return (
    <Dropdown
      autoFocus
      trigger={["click"]}
      menu={{
        items: languages.map(({ key, label }) => ({ key, label: <span lang={key}>{label}</span> })),
        selectable: true,
        selectedKeys: [i18n.language],
        onClick: ({ key }) => void setLanguage(key as Language),
      }}
    >
      <NavButton label={t("language")} icon={<TranslationOutlined />} />
    </Dropdown>
  );
}

export function DarkToggle() {
  const { t } = useTranslation("layout");
  const dark = useDark();
  const setMode = useSettings((state) => state.setMode);
  return (
    <NavButton
      label={t(dark ? "dark.leave" : "dark.enter")}
      aria-pressed={dark}
      icon={dark ? <SunOutlined /> : <MoonOutlined />}
      onClick={() => setMode(dark ? "light" : "dark")}
    />
  );
}
