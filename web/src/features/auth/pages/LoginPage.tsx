import { Link } from "react-router";
import { useTranslation } from "@/kernel/i18n";
import { AuthFrame } from "../frame/AuthFrame";
import { SignInForm } from "../signin/SignInForm";

/** Sign-in of teachers and staff. */
export default function LoginPage() {
  const { t } = useTranslation("auth");
  return (
    <AuthFrame title={t("signIn.staffTitle")} lead={t("signIn.staffLead")}>
      <SignInForm />
      <p className="auth-links">
        <Link to="/studentLogin">{t("signIn.toStudent")}</Link>
      </p>
    </AuthFrame>
  );
}
