import type { ReactNode } from "react";
import { type Language, setLanguage, useTranslation } from "@/kernel/i18n";
import { useDark, useSettings } from "@/kernel/theme";
import { Mark } from "@/layout/sidebar/Mark";
import { useDocumentTitle, useSystemConfig, useSystemTitle } from "@/layout/systemTitle";
import { Artwork } from "./Artwork";
import "./auth.css";

interface Props {
  title: string;
  lead?: ReactNode;
  children: ReactNode;
}

/** The page around every form that needs no session: picture, name of the system, language, darkness. */
export function AuthFrame({ title, lead, children }: Props) {
  const { t } = useTranslation("auth");
  const system = useSystemTitle();
  const config = useSystemConfig();
  useDocumentTitle(title, true);
  return (
    <div className="auth">
      <section className="auth-art" aria-hidden="true">
        <Artwork />
        <p className="auth-motto">{t("frame.motto")}</p>
      </section>
      <div className="auth-side">
        <header className="auth-head">
          <span className="auth-brand">
            {config?.url ? <img src={config.url} alt="" /> : <Mark />}
            <span>{system}</span>
          </span>
          <Switches />
        </header>
        <main className="auth-main">
          <div className="auth-card">
            <h1>{title}</h1>
            {lead && <p className="auth-lead">{lead}</p>}
            {children}
          </div>
        </main>
      </div>
    </div>
  );
}

/** Plain buttons: the sign-in page does without the weight of menus. */
function Switches() {
  const { t, i18n } = useTranslation("auth");
  const dark = useDark();
  const setMode = useSettings((state) => state.setMode);
  const other: Language = i18n.language === "en" ? "zh-CN" : "en";
  return (
    <span className="auth-switches">
      <button type="button" lang={other} onClick={() => void setLanguage(other)}>
        {other === "en" ? "English" : "简体中文"}
      </button>
      <button type="button" aria-pressed={dark} onClick={() => setMode(dark ? "light" : "dark")}>
        {t("frame.dark")}
      </button>
    </span>
  );
}
