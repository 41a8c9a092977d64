import { Link } from "react-router";
import { useTranslation } from "@/kernel/i18n";
import { AuthFrame } from "../frame/AuthFrame";
import { SignInForm } from "../signin/SignInForm";

/** Sign-in of students. */
export default function StudentLoginPage() {
  const { t } = useTranslation("auth");
  return (
    <AuthFrame title={t("signIn.studentTitle")} lead={t("signIn.studentLead")}>
      <SignInForm />
      <p className="auth-links">
        <Link to="/login">{t("signIn.toStaff")}</Link>
      </p>
    </AuthFrame>
  );
}
