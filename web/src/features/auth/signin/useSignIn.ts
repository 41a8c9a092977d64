import { useState } from "react";
import { useNavigate, useSearchParams } from "react-router";
import { errorText } from "@/kernel/api/errors";
import { useTranslation } from "@/kernel/i18n";
import { startSession } from "@/kernel/session";
import { captchaEnabled, login } from "../api";
import { keep } from "./remember";
import { safeTarget } from "./target";
import { useTenant } from "./useTenant";

export interface SignInValues {
  tenantName: string;
  username: string;
  password: string;
  rememberMe: boolean;
}

/** The steps of a sign-in: school, captcha, password; the page draws what `phase` says. */
export function useSignIn() {
  const { t } = useTranslation("auth");
  const tenant = useTenant();
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState("");
  const [waiting, setWaiting] = useState<SignInValues | null>(null);

  const fail = (text: string) => {
    setError(text);
    setBusy(false);
    setWaiting(null);
  };

  const enter = async (values: SignInValues, captchaVerification: string) => {
    setWaiting(null);
    try {
      const { username, password } = values;
      const pair = await login({ username, password, captchaVerification });
      await keep(values);
      startSession(pair);
      await navigate(safeTarget(params.get("redirect")), { replace: true });
    } catch (cause) {
      fail(errorText(cause));
    }
  };

  const submit = async (raw: SignInValues) => {
    const values = { ...raw, username: raw.username.trim(), tenantName: raw.tenantName.trim() };
    setBusy(true);
    setError("");
    try {
      if (!(await tenant.resolve(values.tenantName))) {
        fail(t("tenant.unknown", { name: values.tenantName }));
        return;
      }
      if (await captchaEnabled()) setWaiting(values);
      else await enter(values, "");
    } catch (cause) {
      fail(errorText(cause));
    }
  };

  return {
    tenant,
    busy,
    error,
    /** A captcha is asked for while this is true. */
    asking: waiting !== null,
    submit,
    onVerified: (verification: string) => void (waiting && enter(waiting, verification)),
    onCancel: () => {
      setWaiting(null);
      setBusy(false);
    },
  };
}
