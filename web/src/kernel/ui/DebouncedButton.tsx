import { Button, type ButtonProps } from "antd";
import { type MouseEvent, useEffect, useRef, useState } from "react";

export const DEBOUNCE_MS = 2000;

interface Props extends Omit<ButtonProps, "onClick"> {
  onClick?: (event: MouseEvent<HTMLElement>) => void;
}

/** A button that cannot be pressed again for 2000 ms after a click. */
export function DebouncedButton({ onClick, disabled, ...rest }: Props) {
  const [resting, setResting] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const press = (event: MouseEvent<HTMLElement>) => {
    setResting(true);
    timer.current = setTimeout(() => setResting(false), DEBOUNCE_MS);
    onClick?.(event);
  };
  return <Button {...rest} disabled={disabled || resting} onClick={press} />;
}
