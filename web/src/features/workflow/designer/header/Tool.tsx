import { Button, Tooltip } from "antd";
import type { ReactNode } from "react";

interface Props {
  label: string;
  icon: ReactNode;
  disabled?: boolean;
  pressed?: boolean;
  onPress: () => void;
}

/** A sign in the header with its name for the pointer and for screen readers. */
export function Tool({ label, icon, disabled, pressed, onPress }: Props) {
  return (
    <Tooltip title={label}>
      <Button
        type={pressed ? "primary" : "text"}
        ghost={pressed}
        aria-label={label}
        aria-pressed={pressed}
        icon={icon}
        disabled={disabled}
        onClick={onPress}
      />
    </Tooltip>
  );
}
