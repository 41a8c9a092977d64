import { Button } from "antd";
import { useHref, useLocation } from "react-router";
import { useTranslation } from "@/kernel/i18n";
import { AuthFrame } from "../frame/AuthFrame";

/** Public addresses whose provider is not connected; the key of their text is their path. */
export const notReadyPaths: Readonly<Record<string, string>> = {
  "/social-login": "socialLogin",
  "/auth-redirect": "authRedirect",
  "/bind": "bind",
  "/register": "register",
  "/oauthLogin/gitee": "gitee",
  "/sso": "sso",
};

/** Says in one sentence that this way in is not open, and leads back to the one that is. */
export default function NotReadyPage() {
  const { t } = useTranslation("auth");
  const { pathname } = useLocation();
  const staff = useHref("/login");
  const student = useHref("/studentLogin");
  const key = notReadyPaths[pathname.replace(/\/+$/, "")] ?? "sso";
  return (
    <AuthFrame title={t(`notReady.${key}.title`)} lead={t(`notReady.${key}.text`)}>
      <Button type="primary" size="large" block href={student}>
        {t("signIn.toStudent")}
      </Button>
      <Button size="large" block href={staff} style={{ marginTop: 12 }}>
        {t("signIn.toStaff")}
      </Button>
    </AuthFrame>
  );
}
