import { Button, type ButtonProps, Tooltip } from "antd";

interface Props extends Omit<ButtonProps, "title"> {
  label: string;
  /** No tooltip, e.g. while what the button opened is open. */
  quiet?: boolean;
}

/** A button of the navbar that shows an icon: its label is both tooltip and accessible name. */
export function NavButton({ label, quiet = false, ...rest }: Props) {
  return (
    <Tooltip title={quiet ? "" : label}>
      <Button type="text" aria-label={label} {...rest} />
    </Tooltip>
  );
}
