import { Button } from "antd";
import { useHref, useLocation, useNavigate } from "react-router";
import { useTranslation } from "@/kernel/i18n";
import { AuthFrame } from "../frame/AuthFrame";

/** /404 and /401: what happened and the ways on. */
export default function ErrorPage() {
  const { t } = useTranslation("auth");
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const home = useHref("/");
  const code = pathname.startsWith("/401") ? "401" : "404";
  return (
    <AuthFrame title={t(`error.${code}.title`)} lead={t(`error.${code}.text`)}>
      <p className="auth-code" aria-hidden="true">
        {code}
      </p>
      <Button type="primary" size="large" block href={home}>
        {t("error.home")}
      </Button>
      {window.history.length > 1 && (
        <Button size="large" block style={{ marginTop: 12 }} onClick={() => void navigate(-1)}>
          {t("error.back")}
        </Button>
      )}
    </AuthFrame>
  );
}
