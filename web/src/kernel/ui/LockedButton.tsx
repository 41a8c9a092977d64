import { LockOutlined } from "@ant-design/icons";
import { Button, type ButtonProps, Tooltip } from "antd";
import { useId } from "react";
import { toast } from "./feedback";
import "./lockedButton.css";

interface Props extends Omit<ButtonProps, "disabled"> {
  /** Why the act is not possible now; "" when it is. */
  reason: string;
  /** In rows of lists: the reason shows on hover and focus and in the name, not under the button. */
  compact?: boolean;
}

/**
 * A button that says why it is locked. It keeps the focus, which a disabled one would not take, and
 * a press on it, the only way on a touch screen, shows the reason.
 */
export function LockedButton({ reason, compact, ...rest }: Props) {
  if (!reason) return <Button {...rest} />;
  return compact ? <InRow reason={reason} {...rest} /> : <WithReason reason={reason} {...rest} />;
}

function WithReason({ reason, ...rest }: Props) {
  const id = useId();
  return (
    <span className="locked">
      <Button
        {...rest}
        {...lock(reason)}
        type="default"
        className="is-locked"
        icon={<LockOutlined aria-hidden />}
        aria-describedby={id}
      />
      <span id={id} className="locked-why">
        {reason}
      </span>
    </span>
  );
}

function InRow({ reason, "aria-label": label, ...rest }: Props) {
  return (
    <Tooltip title={reason} trigger={["hover", "focus"]}>
      <Button
        {...rest}
        {...lock(reason)}
        className="is-locked"
        aria-label={label ? `${label}（${reason}）` : undefined}
      />
    </Tooltip>
  );
}

function lock(reason: string) {
  return {
    danger: false,
    htmlType: "button",
    "aria-disabled": true,
    onClick: () => toast.info(reason),
  } as const;
}
