import { EyeInvisibleOutlined, EyeOutlined } from "@ant-design/icons";
import { Button, Input, type InputProps } from "antd";
import { type KeyboardEvent, useId, useState } from "react";
import { useTranslation } from "@/kernel/i18n";

/** A password with a button that shows it and a hint while caps lock is on. */
export function PasswordInput(props: InputProps) {
  const { t } = useTranslation("auth");
  const hint = useId();
  const [shown, setShown] = useState(false);
  const [capsLock, setCapsLock] = useState(false);
  const watch = (event: KeyboardEvent) => setCapsLock(event.getModifierState?.("CapsLock") ?? false);
  const label = t(shown ? "password.hide" : "password.show");
  const described = [props["aria-describedby"], capsLock ? hint : ""].filter(Boolean).join(" ");
  return (
    <>
      <Input
        {...props}
        type={shown ? "text" : "password"}
        aria-describedby={described || undefined}
        onKeyUp={watch}
        onKeyDown={watch}
        onBlur={(event) => {
          setCapsLock(false);
          props.onBlur?.(event);
        }}
        suffix={
          <Button
            type="text"
            size="small"
            aria-label={label}
            aria-pressed={shown}
            title={label}
            icon={shown ? <EyeInvisibleOutlined /> : <EyeOutlined />}
            onClick={() => setShown(!shown)}
          />
        }
      />
      <span id={hint} role="status" className="auth-hint">
        {capsLock ? t("password.capsLock") : ""}
      </span>
    </>
  );
}
